import * as z from "zod";
import { approvalAnswers, approvalKinds } from "../approval.ts";
import { outcomes } from "../outcome.ts";
import { criterionVerdicts } from "../task.ts";

/** Documents may get more keys at any time; those that are named stay and keep their meaning. */
export const loose = z.looseObject;
export const text = z.string();
export const optionalText = z.string().nullable();
export const texts = z.array(z.string());
export const count = z.int().min(0);
export const flag = z.boolean();
export const usd = z.number().min(0).describe("US dollars");
export const milliseconds = z.number().min(0).nullable();
export const outcome = z.enum(outcomes).nullable().describe("Null while it has not ended");
export const anything = z.unknown();
export const id = z.string().min(1);

export const list = <Schema extends z.ZodType>(schema: Schema): z.ZodArray<Schema> => z.array(schema);

/** What every judgement carries: exit 0 without a code, another status with one. */
export const judgement = { code: optionalText, codes: texts, message: text } as const;

export const problem = loose({ code: text, message: text });

export const criterion = loose({
  id,
  text,
  required: flag,
  verdict: z.enum(criterionVerdicts),
  check: optionalText,
});

export const answered = loose({
  approval: id,
  delegation: id,
  story: id,
  kind: z.enum(approvalKinds),
  answer: z.enum(approvalAnswers),
});

/** How a story ended, or where it stands when nobody waited for its end. */
export const ended = {
  story: id,
  outcome,
  code: optionalText.optional(),
  summary: text.optional(),
  files_changed: count.optional(),
  branch: optionalText.optional(),
  merged: flag.optional(),
} as const;
