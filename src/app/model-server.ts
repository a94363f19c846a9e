import { testingErrors } from "../errors/testing.ts";
import { parseScriptFile } from "../testing/index.ts";
import { startModelServer, type ModelServer, type ModelServerOptions } from "../testing/model-server.ts";

export interface ScriptedModel {
  /** Where the scripts come from, for messages. */
  readonly name: string;
  /** YAML or JSON. */
  readonly text: string;
  readonly options: Omit<ModelServerOptions, "scripts">;
}

/** Starts a model that follows scripts. The caller closes it. */
export async function startScriptedModel({
  name,
  text,
  options,
}: ScriptedModel): Promise<ModelServer & { readonly scriptCount: number }> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) throw testingErrors.scriptsNotYaml(name, problem.message);
  const scripts = parseScriptFile(document.toJS({ maxAliasCount: 100 }));
  const server = await startModelServer({ ...options, scripts });
  return { ...server, scriptCount: Object.keys(scripts).length };
}
