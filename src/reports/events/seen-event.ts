import * as z from "zod";

/** An event as it comes from outside: of any type, whether this version knows it or not. */
export interface SeenEvent {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  readonly story: string;
  readonly delegation: string | null;
  readonly attempt: number;
  readonly data: unknown;
}

const seenEventSchema = z.object({
  seq: z.number(),
  at: z.string(),
  type: z.string(),
  story: z.string(),
  delegation: z.string().nullable().default(null),
  attempt: z.number().default(0),
  data: z.unknown().optional(),
});

/** Undefined for a value that is not an event at all. */
export function readSeenEvent(value: unknown): SeenEvent | undefined {
  const parsed = seenEventSchema.safeParse(value);
  return parsed.success ? { ...parsed.data, data: parsed.data.data } : undefined;
}
