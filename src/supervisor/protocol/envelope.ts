import * as z from "zod";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import { explainUnexpectedFileTrouble } from "../../base/file-trouble.ts";
import { journalEventSchema } from "../../contract/journal-event.ts";
import { outcomes } from "../../contract/outcome.ts";

/** Raised when messages change. A client and a supervisor with different numbers refuse each other. */
export const protocolVersion = 2;

/** A client sends calls; each is answered exactly once, by its number. */
export const callSchema = z.strictObject({
  call: z.int().min(0),
  method: z.string().min(1).max(100),
  parameters: z.unknown(),
});

/** An error as it crosses a process boundary. */
export const errorFactsSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  recommendation: z.string(),
  recoverable: z.boolean(),
});

export const replySchema = z.union([
  z.strictObject({ reply: z.int(), result: z.unknown() }),
  z.strictObject({ reply: z.int(), error: errorFactsSchema }),
]);

/**
 * Sent once on each connection when the supervisor leaves: it has accepted this many calls of the connection and accepts
 * no more. A call with a higher number has no effect, so that its client can send it to another supervisor.
 */
export const leavingSchema = z.strictObject({ leaving: z.int().min(0) });

/** A waiting client asks from time to time whether the supervisor is alive. Even a leaving supervisor answers. */
export const pingSchema = z.strictObject({ ping: z.literal(true) });
export const pongSchema = z.strictObject({ pong: z.literal(true) });

/** The supervisor sends notices without being asked, to clients that follow a story. */
export const noticeSchema = z.discriminatedUnion("notice", [
  z.strictObject({ notice: z.literal("event"), data: journalEventSchema }),
  z.strictObject({
    notice: z.literal("output"),
    data: z.looseObject({ delegation: z.string(), text: z.string() }),
  }),
  z.strictObject({
    notice: z.literal("outside-ended"),
    data: z.looseObject({ story: z.string(), outcome: z.enum(outcomes).nullable() }),
  }),
]);

export type Notice = z.infer<typeof noticeSchema>;

/** The facts of an error; an error that is not ours carries only its message. */
export function describeError(thrown: unknown): z.infer<typeof errorFactsSchema> {
  const error = explainUnexpectedFileTrouble(thrown) ?? thrown;
  if (error instanceof DelegationError) {
    const { code, message, recommendation, recoverable } = error;
    return { code, message, recommendation, recoverable };
  }
  return {
    code: "INTERNAL",
    message: readErrorMessage(error),
    recommendation: "Read the supervisor's log; ambit supervisor status names it.",
    recoverable: false,
  };
}
