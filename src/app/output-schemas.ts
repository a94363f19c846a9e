import * as z from "zod";
import { isErrorCode } from "../contract/error-code.ts";
import { tidyJsonSchema } from "../contract/json-schemas.ts";
import { workflowCommands } from "../contract/workflow-request.ts";
import { outcomes } from "../contract/outcome.ts";
import { isUseCaseName, useCases, type UseCaseName } from "./use-cases.ts";

const loose = z.looseObject;
const text = z.string();

/** Documents that the command line writes itself: about itself, or because a person declined. */
const terminalDocuments: Readonly<Record<string, z.ZodType>> = {
  merge: loose({ story: text, merged: z.literal(false), status: z.literal("declined") }),
  demo: loose({
    ok: z.boolean(),
    story: z.string().min(1),
    outcome: z.enum(outcomes).nullable().describe("Null while it has not ended"),
    promises: z.array(loose({ promise: text, evidence: text })),
    trial: z.string().nullable().optional().describe("The failure that --fail showed, and what stopped it"),
    simulated: z.boolean(),
  }),
  completion: loose({ shell: z.enum(["bash", "zsh", "fish", "pwsh"]), script: text }),
  help: loose({ help: text, topic: z.string().min(1).optional() }),
  version: loose({ version: text }),
};

/** Use cases whose answers are printed by commands of other names; every other one has a command of its own name. */
const printingCommands: Readonly<Partial<Record<UseCaseName, readonly string[]>>> = {
  answer: ["approve", "reject", "reply"],
  workflow: workflowCommands,
  "run task": ["run"],
  "run prd": ["run"],
  "run preview": ["run"],
  "merge preview": ["merge"],
  "merge undo": ["merge"],
  // It only finds the story that the person is asked about.
  "merge undo preview": [],
  "cost groups": ["cost"],
  // Under its earlier name, too.
  todos: ["checklist", "todos"],
  "todos update": ["checklist", "todos"],
  "logs note": ["logs"],
  "clean history": ["clean"],
  "logs events": ["logs"],
  "logs follow": ["logs"],
  "explain code": ["explain"],
  "audit verify": ["audit"],
  "audit rebuild": ["audit"],
  "audit export": ["audit"],
  "doctor symptom": ["doctor"],
  "trust show": ["trust"],
  "trust accept": ["trust"],
  "trust revoke": ["trust"],
};

const printed = Object.keys(useCases)
  .filter(isUseCaseName)
  .flatMap((name) => (printingCommands[name] ?? [name]).map((command) => ({ command, name })));

/** Commands that print a document with `--json`; each is published as `ambit/schema/output/<command>.json`. */
export const outputCommands: readonly string[] = [
  ...new Set([...printed.map(({ command }) => command), ...Object.keys(terminalDocuments)]),
];

/** The schema of a command's `--json` output: one of the answers of its use cases. */
export async function buildCommandOutput(command: string): Promise<z.ZodType> {
  const own = printed.filter((one) => one.command === command);
  const answers = await Promise.all(own.map(async ({ name }) => (await useCases[name]()).output()));
  const extra = terminalDocuments[command];
  const [first, ...more] = extra === undefined ? answers : [...answers, extra];
  if (first === undefined) throw new TypeError(`there is no output called ${command}`);
  return more.length === 0 ? first : z.union([first, ...more]);
}

/** The document that `--json` prints instead if a command failed. */
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
