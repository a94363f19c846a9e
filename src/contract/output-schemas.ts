import * as z from "zod";
import { isErrorCode } from "./error-code.ts";
import { tidyJsonSchema } from "./json-schemas.ts";
import { checkOutputs } from "./outputs/checks.ts";
import { seeOutputs } from "./outputs/see.ts";
import { setupOutputs } from "./outputs/setup.ts";
import { taskOutputs } from "./outputs/tasks.ts";
import { workOutputs } from "./outputs/work.ts";

/** What `--json` prints, by command; each is published as `ambit/schema/output/<command>.json`. */
export const outputSchemas: Readonly<Record<string, z.ZodType>> = {
  ...workOutputs,
  ...seeOutputs,
  ...checkOutputs,
  ...taskOutputs,
  ...setupOutputs,
};

/** What `--json` prints instead when a command could not do what it was asked for. */
const errorOutput = z.looseObject({
  error: z.looseObject({
    code: z.string().refine(isErrorCode),
    message: z.string(),
    recommendation: z.string(),
    recoverable: z.boolean(),
  }),
});

/** Names of the published files: `task list` is in `task-list.json`. */
export const outputFileNames: readonly string[] = [...Object.keys(outputSchemas), "error"].map(fileName);

export function outputFileName(command: string): string {
  return fileName(command);
}

function fileName(command: string): string {
  return command.replaceAll(" ", "-");
}

const DOCUMENT = "ambit/v1";

/** The JSON Schema (draft 2020-12) of the document a command prints, or of `error`. */
export function buildOutputSchema(name: string): Readonly<Record<string, unknown>> {
  const command = Object.keys(outputSchemas).find((one) => fileName(one) === name);
  const schema = command === undefined ? errorOutput : outputSchemas[command];
  if (schema === undefined || (command === undefined && name !== "error"))
    throw new TypeError(`there is no output called ${name}`);
  const document = z.intersection(z.looseObject({ schema: z.literal(DOCUMENT) }), schema);
  const { $schema, ...rest } = z.toJSONSchema(document, { io: "output", override: tidyJsonSchema });
  const title = command === undefined ? "Any command that failed" : `ambit ${command} --json`;
  return { $schema, $id: `urn:ambit:schema:output:${name}`, title, ...rest };
}
