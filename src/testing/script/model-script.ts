import * as z from "zod";
import { returnStatuses, successAliases } from "../../contract/agent-return.ts";
import { testingErrors } from "../../errors/testing.ts";

const text = z.string();
const count = z.int().min(0);
const values = z.record(text, z.unknown());

const usageSchema = z.strictObject({
  input: count.default(100).describe("tokens read that were not cached"),
  cached: count.default(0),
  output: count.default(20),
});

/** One action of the model; the tool for it is looked up in the request, because each CLI names it differently. */
const actionFields = {
  write: z.strictObject({ path: text.min(1), text }).optional(),
  read: text.min(1).optional().describe("a path"),
  sh: text.min(1).optional().describe("a command line"),
  delegate: values.optional().describe("arguments of the delegate tool"),
  call: z
    .strictObject({ tool: text.min(1), arguments: values.default({}) })
    .optional()
    .describe("any other tool, by its own name or the one its MCP server gave it; =name: by its own alone"),
} as const;

const returnVias = ["auto", "submit", "file", "text"] as const;

const returnSchema = z.strictObject({
  status: z.enum([...returnStatuses, ...successAliases]).default("completed"),
  summary: text.default("The scripted model did what its script says. Nothing else was asked of it."),
  artifacts: z.array(z.unknown()).default([]),
  errors: z.array(z.unknown()).default([]),
  next_steps: text.optional(),
  metadata: values.default({}).describe("laid over the identity the prompt names"),
  via: z.enum(returnVias).default("auto").describe("how it is handed in"),
});

const times = z.int().min(1).optional().describe("then the script goes on; every time where absent");

const stepSchema = z
  .strictObject({
    text: text.optional(),
    ...actionFields,
    calls: z.array(z.strictObject(actionFields)).min(1).optional().describe("all in one message"),
    return: returnSchema.optional(),
    delayMs: z.int().min(0).max(86_400_000).optional(),
    usage: usageSchema.optional(),
    error: z
      .strictObject({
        status: z.int().min(400).max(599),
        message: text.default("scripted failure"),
        retryAfterSeconds: z.int().min(0).optional(),
        times,
      })
      .optional(),
    cut: z
      .strictObject({ afterEvents: count.optional().describe("half of them where absent"), times })
      .optional()
      .describe("the connection breaks in the middle of the answer"),
  })
  .refine((step) => Object.keys(step).length > 0, "a step must not be empty")
  .refine((step) => step.return === undefined || countActions(step) === 0, {
    error: "return needs a step of its own, without other calls",
  });

const steps = z.array(stepSchema);

const scriptSchema = z.union([
  steps,
  z.strictObject({
    /** The first turn whose `when` is in the prompt; otherwise those without `when`, one per prompt. */
    turns: z.array(z.strictObject({ when: text.min(1).optional(), steps })).min(1),
    withoutTools: z.boolean().default(false).describe("play it to a request that offers no tools, too"),
  }),
]);

export const modelScriptsSchema = z.record(
  text.regex(/^[\w-]+$/, "letters, digits, _ and - only, because it ends where the marker ends"),
  scriptSchema,
);

/** The content of a file for `ambit model-server`. */
const scriptFileSchema = z.strictObject({ scripts: modelScriptsSchema });

export type ModelScripts = z.infer<typeof modelScriptsSchema>;
/** Scripts as people write them: fields with a default are optional. */
export type ModelScriptsInput = z.input<typeof modelScriptsSchema>;
export type ModelScript = z.infer<typeof scriptSchema>;
export type ModelStep = z.infer<typeof stepSchema>;
export type ModelAction = Pick<ModelStep, keyof typeof actionFields>;
export type ScriptedReturn = z.infer<typeof returnSchema>;
export type TokenCounts = z.infer<typeof usageSchema>;

export function parseModelScripts(value: unknown): ModelScripts {
  return parseScripts(modelScriptsSchema, value);
}

/** Reads the content of a script file: `{scripts: {name: steps}}`. */
export function parseScriptFile(value: unknown): ModelScripts {
  return parseScripts(scriptFileSchema, value).scripts;
}

/** The actions of a step, in the order in which they are sent. */
export function listActions(step: ModelStep): readonly ModelAction[] {
  const { write, read, sh, delegate, call } = step;
  return [{ write }, { read }, { sh }, { delegate }, { call }, ...(step.calls ?? [])].filter(
    (action) => countActions(action) > 0,
  );
}

function countActions(action: object): number {
  const named = Object.keys(actionFields);
  return Object.entries(action).filter(
    ([name, value]) => value !== undefined && (named.includes(name) || name === "calls"),
  ).length;
}

function parseScripts<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw testingErrors.scriptsUnreadable(describeProblems(parsed.error), parsed.error);
}

type Issue = z.core.$ZodIssue;

/** One line per problem, with its place. For a union it reports only the alternative that was meant. */
function describeProblems(error: z.ZodError): string {
  return error.issues
    .flatMap((issue) => chooseIssues(issue))
    .map(({ path, message }) => `  ${renderPlace(path)}: ${message}`)
    .join("\n");
}

/** An alternative was meant if the value has the right type at its root. */
function chooseIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find((branch) => branch.every(({ path }) => path.length > 0));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => chooseIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function renderPlace(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
