/** The reasons to ask a person, or a manager, before work continues. */
export const approvalKinds = ["cost", "criterion", "scope", "sensitive-paths", "clarification"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalAnswers = ["approved", "rejected", "replied", "expired"] as const;
export type ApprovalAnswer = (typeof approvalAnswers)[number];

/** Where a person asks from. */
export const surfaces = ["cli", "mcp", "dashboard", "library"] as const;
export type Surface = (typeof surfaces)[number];

/** How an answer reached the runtime. */
export interface AnswerSource {
  readonly surface: Surface;
  /** Over the supervisor's socket; otherwise from inside its own process. */
  readonly socket: boolean;
  /** Whether the asking process has a terminal. */
  readonly terminal: boolean;
  /** Whether the asking process belongs to a run; null where the machine cannot tell. */
  readonly insideRun: boolean | null;
}
