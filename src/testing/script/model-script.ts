import * as z from "zod";
import { DelegationError } from "../../base/delegation-error.ts";
import { returnStatuses, successAliases } from "../../contract/agent-return.ts";
import { describeProblems } from "./describe-problems.ts";

const text = z.string();
const count = z.int().min(0);
const values = z.record(text, z.unknown());

const usageSchema = z.strictObject({
  input: count.default(100).describe("tokens read that were not cached"),
  cached: count.default(0),
  output: count.default(20),
});

/** One thing the model does with a tool; the name each CLI has for it is looked up in the request. */
const actionFields = {
  write: z.strictObject({ path: text.min(1), text }).optional(),
  read: text.min(1).optional().describe("a path"),
  sh: text.min(1).optional().describe("a command line"),
  delegate: values.optional().describe("arguments of the delegate tool"),
  call: z
    .strictObject({ tool: text.min(1), arguments: values.default({}) })
    .optional()
    .describe("any other tool, by its own name or the one its MCP server gave it"),
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
  .refine((step) => Object.keys(step).length > 0, "a step says nothing")
  .refine((step) => step.return === undefined || countActions(step) === 0, {
    error: "return stands in a step of its own, without other calls",
  });

const steps = z.array(stepSchema);

const scriptSchema = z.union([
  steps,
  z.strictObject({
    /** The first turn whose `when` stands in the prompt; else those without, one per prompt of the session. */
    turns: z.array(z.strictObject({ when: text.min(1).optional(), steps })).min(1),
    withoutTools: z.boolean().default(false).describe("play it to a request that offers no tools, too"),
  }),
]);

export const modelScriptsSchema = z.record(
  text.regex(/^[\w-]+$/, "letters, digits, _ and - only, because it ends where the marker ends"),
  scriptSchema,
);

/** What a file for `ambit model-server` holds. */
const scriptFileSchema = z.strictObject({ scripts: modelScriptsSchema });

export type ModelScripts = z.infer<typeof modelScriptsSchema>;
/** Scripts as people write them: everything with a default may be left out. */
export type ModelScriptsInput = z.input<typeof modelScriptsSchema>;
export type ModelScript = z.infer<typeof scriptSchema>;
export type ModelStep = z.infer<typeof stepSchema>;
export type ModelAction = Pick<ModelStep, keyof typeof actionFields>;
export type ScriptedReturn = z.infer<typeof returnSchema>;
export type TokenCounts = z.infer<typeof usageSchema>;

export function parseModelScripts(value: unknown): ModelScripts {
  return parseScripts(modelScriptsSchema, value);
}

/** Reads what a script file holds: `{scripts: {name: steps}}`. */
export function parseScriptFile(value: unknown): ModelScripts {
  return parseScripts(scriptFileSchema, value).scripts;
}

/** What the step does with tools, in the order in which it is sent. */
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
  throw new DelegationError({
    code: "INPUT_UNREADABLE",
    message: `The model's scripts cannot be read:\n${describeProblems(parsed.error)}`,
    recommendation: "Correct it; ambit model-server --help names what a step can say.",
    cause: parsed.error,
  });
}
