import type { CheckMeaning, WorkProof } from "../contract/task.ts";
import type { ComparedResult } from "./compare-base.ts";
import type { Judgement } from "./judge.ts";

const weakMeanings: ReadonlySet<CheckMeaning> = new Set(["no-regression", "proves-nothing", "red-before"]);

/**
 * The best of what the checks of accepted work show: one that was red before proves it, whatever the others say. Its own
 * criteria count; those of earlier work count only if none of its own passed.
 */
export function findProof({ passed }: Judgement, results: readonly ComparedResult[]): WorkProof {
  if (passed.length === 0) return "unchecked";
  const own = passed.filter((id) => !id.startsWith("kept-"));
  const meanings = (own.length === 0 ? passed : own).map(
    (id) => results.find(({ criterion }) => criterion.id === id)?.meaning,
  );
  if (meanings.every((meaning) => meaning === "proves-nothing")) return "nothing";
  const isWeak = meanings.every((meaning) => meaning !== undefined && weakMeanings.has(meaning));
  return isWeak ? "no-regression" : "proven";
}
