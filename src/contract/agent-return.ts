import * as z from "zod";
import { sessionIdSchema } from "./identity.ts";
import { reviewSchema, type ReviewVerdict } from "./review.ts";

export const returnStatuses = ["completed", "partial", "failed", "blocked"] as const;
export type ReturnStatus = (typeof returnStatuses)[number];

/** Words agents use for success; the outcome stored is always `completed` (C13). */
export const successAliases = ["researched", "planned", "implemented"] as const;

/** The early record a worker leaves behind; on its own it means the worker was interrupted. */
export const earlyStatus = "in_progress";

/** `research` and `report` are two names of one thing; the value is kept as given (C9). */
export const artifactTypes = [
  "research",
  "report",
  "plan",
  "implementation",
  "summary",
  "documentation",
  "handoff",
] as const;

export const summaryMaxLength = 500;
export const summaryAdvisedLength = 400;

export const artifactSchema = z.object({
  type: z
    .string()
    .min(1)
    .describe(`One of ${artifactTypes.join(", ")}, or a type the project configures`),
  path: z.string().min(1).describe("Relative to the project root"),
  summary: z.string().optional(),
});

export const returnErrorSchema = z.object({
  type: z.string().min(1).describe("timeout, validation, execution, tool_unavailable, permission, …"),
  message: z.string().min(1),
  code: z.string().optional(),
  recoverable: z.boolean(),
  recommendation: z.string(),
});

/** The same with its code, as it is kept (C11). */
const keptErrorSchema = z.strictObject({
  type: z.string().max(200),
  code: z.string().max(200),
  message: z.string().max(4000),
  recoverable: z.boolean(),
  recommendation: z.string().max(4000),
});

export type KeptError = Readonly<z.infer<typeof keptErrorSchema>>;

/** Errors of one return that are kept. */
export const MAX_KEPT_ERRORS = 20;

export const keptErrorsSchema = z.array(keptErrorSchema).max(MAX_KEPT_ERRORS);

const count = z.int().min(0);
const taskNumbers = z.array(z.int());

/** Present on the returns of bulk task operations instead of the agent's identity (C10, R42). */
export const operationFields = {
  task_numbers: taskNumbers.optional(),
  success_count: count.optional(),
  failure_count: count.optional(),
  files_updated: z.array(z.string()).optional(),
  synced_tasks: count.optional(),
  conflicts_resolved: count.optional(),
  conflict_details: z
    .array(
      z.object({
        task_number: z.int(),
        field: z.string(),
        winner: z.string(),
        timestamp_state: z.string(),
        timestamp_todo: z.string(),
      }),
    )
    .optional(),
  parent_task: z.int().optional(),
  subtasks: taskNumbers.optional(),
  subtasks_created: taskNumbers.optional(),
  subtasks_rolled_back: taskNumbers.optional(),
} as const;

const agentFields = {
  agent_type: z.string().min(1),
  delegation_depth: z.int().min(0).max(9),
  delegation_path: z.array(z.string().min(1)).min(1).max(16),
} as const;

const sharedFields = {
  session_id: sessionIdSchema,
  duration_seconds: z.number().min(0).optional(),
  phase_count: count.optional(),
  estimated_hours: z.number().min(0).optional(),
  findings_count: count.optional(),
} as const;

export const agentMetadataSchema = z.looseObject({ ...sharedFields, ...agentFields, ...operationFields });
export const operationMetadataSchema = z.looseObject({
  ...sharedFields,
  agent_type: agentFields.agent_type.optional(),
  delegation_depth: agentFields.delegation_depth.optional(),
  delegation_path: agentFields.delegation_path.optional(),
  ...operationFields,
});

/** The return of a worker. The validator also checks what a schema cannot: session, paths, files. */
export const agentReturnSchema = z.object({
  status: z.enum([...returnStatuses, ...successAliases]),
  summary: z.string().min(1).max(summaryMaxLength).describe("2 to 5 sentences about outcomes, no markup"),
  artifacts: z.array(artifactSchema),
  metadata: z.union([agentMetadataSchema, operationMetadataSchema]),
  errors: z.array(returnErrorSchema).default([]).describe("Required unless completed"),
  next_steps: z.string().optional(),
  review: reviewSchema.optional().describe("The verdicts of a reviewer"),
});

export type Artifact = z.infer<typeof artifactSchema>;
export type ReturnError = z.infer<typeof returnErrorSchema>;

/** A validated return: the status is one of the four, every error has a code. */
export interface AgentReturn {
  readonly status: ReturnStatus;
  readonly reported_status: string;
  readonly summary: string;
  readonly artifacts: readonly Artifact[];
  readonly metadata: Readonly<Record<string, unknown>> & { readonly session_id: string };
  readonly errors: readonly (ReturnError & { readonly code: string })[];
  readonly next_steps?: string;
  /** Of a reviewer only. */
  readonly review?: readonly ReviewVerdict[];
}

/** A map, because a worker may well name its error `constructor`. */
const codeByErrorType: ReadonlyMap<string, string> = new Map([
  ["timeout", "TIMEOUT"],
  ["validation", "VALIDATION_FAILED"],
  ["tool_unavailable", "TOOL_UNAVAILABLE"],
]);

/** `code` is optional on the wire and derived from the type when absent (C11). */
export function deriveErrorCode(error: ReturnError): string {
  return error.code ?? codeByErrorType.get(error.type) ?? "UNKNOWN_ERROR";
}

/** `failed` may be retried only when some error says it is recoverable (C12). */
export function isRetryable(value: Pick<AgentReturn, "status" | "errors">): boolean {
  return value.status !== "completed" && value.errors.some((error) => error.recoverable);
}
