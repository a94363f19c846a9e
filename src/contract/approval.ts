/** The reasons to ask a person, or a manager, before work continues. */
export const approvalKinds = ["cost", "criterion", "scope", "sensitive-paths", "clarification"] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalAnswers = ["approved", "rejected", "replied", "expired"] as const;
export type ApprovalAnswer = (typeof approvalAnswers)[number];
