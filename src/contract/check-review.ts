import type { ReturnStatus } from "./agent-return.ts";
import { reviewSchema, type ReviewVerdict } from "./review.ts";
import { invalidField, missingField, ownField, type Fields, type Problem } from "./return-problem.ts";
import { schemaProblems } from "./schema-problems.ts";

export interface CheckedReview {
  readonly verdicts: readonly ReviewVerdict[] | undefined;
  readonly problems: readonly Problem[];
}

/** A reviewer that is done says something about each criterion it was asked about. Others have no verdicts. */
export function checkReview(
  fields: Fields,
  status: ReturnStatus | undefined,
  asked: readonly string[] | undefined,
): CheckedReview {
  if (asked === undefined || status !== "completed") return { verdicts: undefined, problems: [] };
  const value = ownField(fields, "review") ?? undefined;
  if (value === undefined) return { verdicts: undefined, problems: [missingField("review")] };
  const parsed = reviewSchema.safeParse(value);
  if (!parsed.success)
    return { verdicts: undefined, problems: schemaProblems(reviewSchema, value, "review") };
  const named = parsed.data.map(({ criterion }) => criterion);
  const left = asked.filter((id) => named.filter((one) => one === id).length !== 1);
  const problems = left.map((id) => invalidField("review", `needs exactly one verdict about ${id}`));
  return { verdicts: parsed.data.filter(({ criterion }) => asked.includes(criterion)), problems };
}
