import * as z from "zod";
import { criterionVerdicts } from "./task.ts";

const text = z.string().max(20_000);
const facts = {
  check: text,
  criteria: z.array(z.string().max(200)),
  on: z.enum(["work", "base"]),
  /** The workers whose work was checked together, this one included; absent where it was checked alone. */
  together: z.array(z.string().min(1).max(400)).max(1000).optional(),
};

export const checkStartedSchema = z.strictObject({ ...facts, log: text });

export const checkEndedSchema = z.strictObject({
  ...facts,
  verdict: z.enum(criterionVerdicts),
  evidence: text,
  /** The tests that failed, where its output names them. */
  failing: z.array(z.string().max(1000)).max(500),
  durationMs: z.number().min(0),
  /** Possible reasons for a failure besides the files, one sentence each. */
  hints: z.array(text).max(50).optional(),
});
