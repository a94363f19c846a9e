import * as z from "zod";

/** One reason why a check did not pass. */
export interface CheckFailure {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly string[];
  readonly suggestion?: string;
}

/** The fields of every judgement: exit 0 without a code, the status of the code otherwise. */
export const verdictFields = () => ({
  code: z.string().nullable().describe("The first failure's; null when it passed"),
  codes: z.array(z.string()),
  message: z.string(),
  suggestion: z.string().optional(),
  failures: z
    .array(
      z.looseObject({
        code: z.string(),
        message: z.string(),
        details: z.array(z.string()).optional(),
        suggestion: z.string().optional(),
      }),
    )
    .optional()
    .describe("Why it did not pass, the primary reason first"),
});

/** The part of a document that says whether a check passed. */
export type Judgement = z.output<z.ZodObject<ReturnType<typeof verdictFields>>>;

/** `passed` is what to say when nothing failed. */
export function describeVerdict(passed: string, failures: readonly CheckFailure[]): Judgement {
  const [primary] = failures;
  const codes = [...new Set(failures.map(({ code }) => code))];
  const all = failures.map(({ code, message, details, suggestion }) => ({
    code,
    message,
    ...(details === undefined ? {} : { details: [...details] }),
    ...(suggestion === undefined ? {} : { suggestion }),
  }));
  if (primary === undefined) return { code: null, codes, message: passed };
  const advice = primary.suggestion === undefined ? {} : { suggestion: primary.suggestion };
  return { code: primary.code, codes, message: primary.message, ...advice, failures: all };
}
