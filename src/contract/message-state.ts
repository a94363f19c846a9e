/** The states of a message after it was sent. */
export const markedStates = ["delivered", "acknowledged", "dismissed"] as const;

export const messageStates = ["pending", ...markedStates] as const;
export type MessageState = (typeof messageStates)[number];
