import * as z from "zod";

/** Raised when messages change; client and supervisor of different numbers do not talk. */
export const protocolVersion = 1;

/** What a client sends. Every call is answered exactly once, by its number. */
export const callSchema = z.strictObject({
  call: z.int().min(0),
  method: z.string().min(1).max(100),
  parameters: z.unknown(),
});

export const replySchema = z.union([
  z.strictObject({ reply: z.int(), result: z.unknown() }),
  z.strictObject({
    reply: z.int(),
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      recommendation: z.string(),
      recoverable: z.boolean(),
    }),
  }),
]);

/** What a supervisor sends unasked, to clients that attached to a story. */
export const noticeSchema = z.strictObject({ notice: z.string(), data: z.unknown() });

export const helloSchema = z.looseObject({
  protocol: z.int(),
  version: z.string(),
  pid: z.int(),
});
export type Hello = z.infer<typeof helloSchema>;
