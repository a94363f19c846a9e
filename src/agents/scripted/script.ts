import * as z from "zod";
import { turnKinds } from "../../contract/turn-kind.ts";

const text = z.string();
const bytes = z
  .int()
  .min(0)
  .max(64 * 1024 ** 3);

/** The steps a script can have: honest work, and every way to misbehave. */
export const stepSchema = z.union([
  z.strictObject({ write: z.strictObject({ path: text, text }) }),
  z.strictObject({ append: z.strictObject({ path: text, text }) }),
  z.strictObject({ remove: text }),
  z.strictObject({ run: z.array(text).min(1) }),
  z.strictObject({ say: text }),
  z.strictObject({
    spend: z.strictObject({
      input: z.int().min(0),
      output: z.int().min(0),
      cached: z.int().min(0).default(0),
      usd: z.number().min(0).default(0),
      model: text.optional(),
    }),
  }),
  z.strictObject({ sleep: z.number().min(0).describe("seconds") }),
  z.strictObject({
    delegate: z.array(z.strictObject({ description: text, hours: z.number().positive() })).min(1),
  }),
  z.strictObject({ early: z.literal(true).describe("leave the in_progress record") }),
  z.strictObject({
    return: z.strictObject({
      status: text,
      summary: text,
      artifacts: z.array(z.unknown()).default([]),
      errors: z.array(z.unknown()).default([]),
      next_steps: text.optional(),
      review: z.array(z.unknown()).optional(),
    }),
  }),
  z.strictObject({ "return-text": text.describe("written as it is, valid or not") }),
  z.strictObject({ exhaust: text.describe("leave this hand-over note and report a full context") }),
  z.strictObject({ exit: z.int().min(0).max(255) }),
  z.strictObject({ hang: z.enum(["quiet", "talking", "deaf"]).describe("deaf ignores signals") }),
  z.strictObject({ flood: z.strictObject({ bytes, lines: z.boolean() }) }),
  z.strictObject({ fork: z.enum(["child", "session", "daemon"]) }),
  z.strictObject({ hog: z.strictObject({ megabytes: z.int().min(1).max(4096) }) }),
]);

export type Step = z.infer<typeof stepSchema>;

const steps = z.array(stepSchema);

/**
 * Steps for every attempt; or a list per attempt, of which the last one also serves later attempts; or a list per turn
 * kind, of which `begin` also serves the kinds that are absent.
 */
export const scriptSchema = z.union([
  steps,
  z.strictObject({ attempts: z.array(steps).min(1) }),
  z.strictObject({
    begin: steps,
    ...Object.fromEntries(turnKinds.map((kind) => [kind, steps.optional()])),
  }),
]);
export type Script = z.infer<typeof scriptSchema>;

export function chooseSteps(script: Script, turn: { attempt: number; kind: string }): readonly Step[] {
  if (Array.isArray(script)) return script;
  if ("attempts" in script && Array.isArray(script.attempts))
    return parseSteps(script.attempts[turn.attempt - 1] ?? script.attempts.at(-1));
  const named = new Map<string, unknown>(Object.entries(script));
  return parseSteps(named.get(turn.kind) ?? named.get("begin"));
}

function parseSteps(value: unknown): readonly Step[] {
  return steps.parse(value ?? []);
}
