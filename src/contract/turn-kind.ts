/** The reason for an attempt; decides the content of its prompt. */
export const turnKinds = ["begin", "results", "answer", "repair", "retry", "conflict", "handover"] as const;
export type TurnKind = (typeof turnKinds)[number];
