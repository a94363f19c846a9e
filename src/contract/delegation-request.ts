import * as z from "zod";
import { MAX_PLAUSIBLE_HOURS } from "./directive.ts";
import { MAX_USD } from "./config-usd.ts";
import { returnErrorSchema } from "./agent-return.ts";
import { isRecord } from "../base/json.ts";
import { sessionIdSchema } from "./identity.ts";
import { filledText, lenientList, lenientNumber, nullsAbsent, parseDecimal } from "./lenient.ts";
import { hardCaps } from "./limits.ts";
import { isPriority, priorityOrder } from "./priority.ts";
import { isRelativeGlob, relativeGlobRule } from "./relative-glob.ts";
import { workProofs } from "./task.ts";
import { withoutNulls } from "./schema-problems.ts";

const MAX_ENTRIES = 100;
const MAX_PRIORITY = 100;
const MAX_PATH = 16;
/** No provider counts higher, and sums of such numbers stay exact. */
const MAX_TOKENS = 1_000_000_000_000;

const hours = lenientNumber(z.number().gt(0).max(MAX_PLAUSIBLE_HOURS).describe("3 to 8 is ideal"));
const entries = z.array(filledText).max(MAX_ENTRIES);
const relativeGlob = filledText.refine(isRelativeGlob, relativeGlobRule);

const listedFields = {
  description: filledText,
  estimated_hours: hours,
  preferred_provider: filledText.optional().describe("For example claude-haiku, claude-opus, gpt-4o"),
} as const;

/** The JSON form of several delegations (R4); keys it does not know are dropped. */
export const delegationListSchema = z.object({
  delegations: z.array(nullsAbsent(z.object(listedFields))).min(1),
});

/**
 * One delegation as the command line and the MCP tool request it. Numbers may be text (C34) and `null` means absent.
 * Unknown keys are refused: a misspelt limit must not silently be no limit.
 */
export const delegationRequestSchema = nullsAbsent(
  z.strictObject({
    ...listedFields,
    estimated_hours: hours.optional(),
    agent: filledText.optional().describe("Agent definition to use"),
    accept: lenientList(entries).optional().describe("Acceptance criteria, one text each"),
    file_scope: lenientList(z.array(relativeGlob).max(MAX_ENTRIES))
      .optional()
      .describe("Globs it may change"),
    budget_usd: lenientNumber(z.number().min(0).max(MAX_USD)).optional(),
    budget_tokens: lenientNumber(z.int().min(1).max(MAX_TOKENS)).optional(),
    timeout_seconds: lenientNumber(z.int().min(1)).optional(),
    context_tokens: lenientNumber(z.int().min(0).max(MAX_TOKENS))
      .optional()
      .describe("Context it will need, if that is more than its own text and the files it names"),
    priority: z
      .preprocess(readPriority, z.int().min(-MAX_PRIORITY).max(MAX_PRIORITY))
      .optional()
      .describe("Higher starts first; low, medium and high stand for -1, 0 and 1"),
    depends_on: lenientList(entries).optional().describe("Delegations or tasks to wait for"),
    context: z.string().optional().describe("Background and constraints for the worker"),
    todo: filledText.optional().describe("The task of your own list that it does"),
  }),
);

/** The context that every delegation passes down (R22, R23); the path begins at the root and ends with the target. */
export const delegationContextSchema = nullsAbsent(
  z.object({
    session_id: sessionIdSchema,
    delegation_depth: lenientNumber(z.int().min(0).max(hardCaps.maxDepth)),
    delegation_path: z.array(filledText).min(1).max(MAX_PATH),
    timeout: lenientNumber(z.number().gt(0)).describe("Seconds"),
    caller: filledText.optional(),
    task_context: nullsAbsent(
      z.looseObject({
        task_number: lenientNumber(z.int().min(1)).optional(),
        language: filledText.optional(),
        complexity: filledText.optional(),
        description: z.string().optional(),
      }),
    ).optional(),
  }),
);

const amount = lenientNumber(z.number().min(0)).nullable().default(null);
const wholeAmount = lenientNumber(z.int().min(0)).nullable().default(null);
const errorText = z.preprocess((value) => (value === "" ? null : value), z.string().nullable().default(null));

/** The output of a standalone worker (R48); amounts it does not know are `null`, never 0. */
export const workerOutputSchema = z.preprocess(
  readFilesModified,
  z.object({
    success: z.boolean(),
    tokens_in: wholeAmount,
    tokens_out: wholeAmount,
    cost: amount.describe("US dollars"),
    files_changed: z.array(filledText).default([]),
    error: errorText,
  }),
);

/** The result of one delegation as its manager receives it (R47). */
export const delegationResultSchema = z.preprocess(
  readFilesModified,
  z.object({
    delegation_id: filledText,
    success: z.boolean(),
    summary: z.string(),
    files_changed: z.array(filledText).default([]),
    cost: amount.describe("US dollars"),
    duration_ms: wholeAmount,
    error: errorText,
    errors: z
      .array(returnErrorSchema)
      .optional()
      .describe("Problems that its worker reports, with its advice"),
    next_steps: z.string().optional(),
    proof: z
      .enum(workProofs)
      .optional()
      .describe("The proof by its checks, compared with the tree it started from"),
  }),
);

export type DelegationList = z.infer<typeof delegationListSchema>;
export type DelegationRequest = z.infer<typeof delegationRequestSchema>;
export type DelegationContext = z.infer<typeof delegationContextSchema>;
export type WorkerOutput = z.infer<typeof workerOutputSchema>;
export type DelegationResult = z.infer<typeof delegationResultSchema>;

function readPriority(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return isPriority(word) ? priorityOrder[word] : (parseDecimal(word) ?? value);
}

/** Both names of the list of changed files are in use (C34). */
function readFilesModified(value: unknown): unknown {
  const fields = withoutNulls(value);
  if (!isRecord(fields) || fields["files_changed"] !== undefined) return fields;
  return { ...fields, files_changed: fields["files_modified"] };
}
