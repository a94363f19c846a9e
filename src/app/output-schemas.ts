import * as z from "zod";
import { isErrorCode } from "../contract/error-code.ts";
import { tidyJsonSchema } from "../contract/json-schemas.ts";
import { outputSchemas } from "../contract/output-schemas.ts";
import type { UseCaseEntry } from "./use-case.ts";
import { useCases } from "./use-cases.ts";

const entries: readonly (readonly [string, UseCaseEntry])[] = Object.entries(useCases);

/** Commands that print a document with `--json`; each is published as `ambit/schema/output/<command>.json`. */
export const outputCommands: readonly string[] = [
  ...new Set([...entries.map(([name, { command }]) => command ?? name), ...Object.keys(outputSchemas)]),
];

/** What a command prints with `--json`: one of the answers of its use cases. */
export async function buildCommandOutput(command: string): Promise<z.ZodType> {
  const own = entries.filter(([name, entry]) => (entry.command ?? name) === command);
  const found = await Promise.all(own.map(async ([, { load }]) => (await load()).output()));
  const [first = outputSchemas[command], ...more] = found;
  if (first === undefined) throw new TypeError(`there is no output called ${command}`);
  return more.length === 0 ? first : z.union([first, ...more]);
}

/** What `--json` prints instead when a command could not do what it was asked for. */
const errorOutput = z.looseObject({
  error: z.looseObject({
    code: z.string().refine(isErrorCode),
    message: z.string(),
    recommendation: z.string(),
    recoverable: z.boolean(),
  }),
});

const ERROR = "error";

/** Names of the published files: `task list` is in `task-list.json`. */
export const outputFileNames: readonly string[] = [...outputCommands, ERROR].map(outputFileName);

export function outputFileName(command: string): string {
  return command.replaceAll(" ", "-");
}

const DOCUMENT = "ambit/v1";

/** The JSON Schema (draft 2020-12) of the document a command prints, or of `error`. */
export async function buildOutputSchema(name: string): Promise<Readonly<Record<string, unknown>>> {
  const command = outputCommands.find((one) => outputFileName(one) === name) ?? name;
  const schema = name === ERROR ? errorOutput : await buildCommandOutput(command);
  const document = z.intersection(z.looseObject({ schema: z.literal(DOCUMENT) }), schema);
  const { $schema, ...rest } = z.toJSONSchema(document, { io: "output", override: tidyJsonSchema });
  const title = name === ERROR ? "Any command that failed" : `ambit ${command} --json`;
  return { $schema, $id: `urn:ambit:schema:output:${name}`, title, ...rest };
}
