/** Why an attempt is made; decides what its prompt says. */
export const turnKinds = ["begin", "results", "answer", "repair", "retry", "conflict", "handover"] as const;
export type TurnKind = (typeof turnKinds)[number];
