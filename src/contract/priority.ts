import * as z from "zod";

/** Words people and agents use; the scheduler orders by the number, higher first, then by age. */
export const priorityOrder = { low: -1, medium: 0, high: 1 } as const;

export type Priority = keyof typeof priorityOrder;

/** Any case is read, lower case is stored. */
export const prioritySchema = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().toLowerCase() : value),
  z.enum(["low", "medium", "high"]),
);

export function isPriority(text: string): text is Priority {
  return Object.hasOwn(priorityOrder, text);
}
