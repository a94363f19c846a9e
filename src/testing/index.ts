/** `ambit/testing`: tools to test agents without a network or a model. */
export {
  modelScriptsSchema,
  parseScriptFile,
  type ModelScripts,
  type ModelScriptsInput,
} from "./script/model-script.ts";
export { startModelServer, type ModelServer, type ModelServerOptions } from "./model-server.ts";
export type { RecordedRequest } from "./serving/request-record.ts";
