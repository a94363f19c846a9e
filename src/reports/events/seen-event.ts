import * as z from "zod";

const seenEventSchema = z.object({
  seq: z.number(),
  at: z.string(),
  type: z.string(),
  story: z.string(),
  delegation: z.string().nullable().default(null),
  attempt: z.number().default(0),
  data: z.unknown().optional(),
});

/** An event as it comes from outside: of any type, whether this version knows it or not. */
export type SeenEvent = Readonly<z.infer<typeof seenEventSchema>>;

/** Undefined for a value that is not an event at all. */
export function readSeenEvent(value: unknown): SeenEvent | undefined {
  return seenEventSchema.safeParse(value).data;
}
