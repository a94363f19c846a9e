import { exitCode } from "../../../contract/exit-code.ts";
import { buildJsonSchema } from "../../../contract/json-schemas.ts";
import type { CommandOutcome } from "../../command-module.ts";

/** `schema` is the name of the document's own format, so the JSON Schema has another key. */
export function showSchema(): CommandOutcome {
  const schema = buildJsonSchema("config");
  return {
    exitCode: exitCode.completed,
    json: { json_schema: schema },
    text: JSON.stringify(schema, null, 2),
  };
}
