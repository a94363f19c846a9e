import { quoteExcerpt } from "../base/visible-text.ts";
import type { Criterion } from "../contract/task.ts";
import { describeCheck } from "./criteria/check-key.ts";
import type { CriterionNotice } from "./read-criteria.ts";

const MAX_NAMED = 5;

/** Where a criterion cannot be checked as it is: what will be run in the end, and who will be asked (R177). */
export function describePlan(
  criteria: readonly Criterion[],
  { notices, decider }: { readonly notices: readonly CriterionNotice[]; readonly decider: string },
): readonly string[] {
  if (notices.length === 0) return [];
  const required = criteria.filter((criterion) => criterion.required);
  const run = required.flatMap(({ check }) =>
    check === undefined || "manual" in check ? [] : [describeCheck(check)],
  );
  const asked = required.flatMap(({ check, text }) =>
    check === undefined || "manual" in check ? [quoteExcerpt(text)] : [],
  );
  if (run.length === 0 && asked.length === 0) return [];
  const runs = run.length === 0 ? "Nothing will be run" : `Will be run: ${nameSome(run)}`;
  return [asked.length === 0 ? `${runs}.` : `${runs}. ${decider} will be asked about: ${nameSome(asked)}.`];
}

/** Names the person or agent that first decides the criteria that no command can check. */
export function nameDecider(reviewer: string | null, otherwise: string): string {
  return reviewer === null ? otherwise : `The reviewer ${reviewer}`;
}

function nameSome(names: readonly string[]): string {
  const hidden = names.length - MAX_NAMED;
  const shown = names.slice(0, MAX_NAMED).join("; ");
  return hidden > 0 ? `${shown}; and ${hidden} more` : shown;
}
