import type { Criterion, CriterionCheck } from "../contract/task.ts";
import { checkKey } from "./check-key.ts";

/** Whose accepted criterion a check stands for. */
export interface RatchetOwner {
  /** The delegation it was accepted for. */
  readonly from: string;
  readonly criterionId: string;
  readonly text: string;
}

export interface RatchetEntry {
  readonly check: CriterionCheck;
  readonly owners: readonly RatchetOwner[];
}

/** The checks every later merge must keep green, in the order they were accepted. It only grows. */
export type Ratchet = readonly RatchetEntry[];

/**
 * The ratchet once some delegation's work is merged. What was waived, failed or only advisory binds nobody, nor does
 * what later work cannot break: that something changed, or a decision. Applying the same twice changes nothing.
 */
export function ratchetAfter(
  ratchet: Ratchet,
  accepted: { readonly from: string; readonly criteria: readonly Criterion[] },
): Ratchet {
  return accepted.criteria.filter(binds).reduce<Ratchet>((entries, criterion) => {
    const { id: criterionId, text, check } = criterion;
    return check === undefined
      ? entries
      : withOwner(entries, check, { from: accepted.from, criterionId, text });
  }, ratchet);
}

/** A check of earlier work as a criterion of the present one; its text says whose it is. */
export interface RatchetCheck {
  /** Its id begins with `kept-`. */
  readonly criterion: Criterion;
  readonly owners: readonly RatchetOwner[];
}

/** What a merge has to keep green beside its own required criteria. Each check is there once. */
export function checksToKeepGreen(ratchet: Ratchet, own: readonly Criterion[]): readonly RatchetCheck[] {
  const required = new Set(own.filter((criterion) => criterion.required).map(({ check }) => checkKey(check)));
  return ratchet
    .filter(({ check }) => !required.has(checkKey(check)))
    .flatMap(({ check, owners }) => {
      const [first] = owners;
      return first === undefined ? [] : [{ criterion: keptCriterion(check, owners, first), owners }];
    });
}

function binds({ required, verdict, check }: Criterion): boolean {
  if (!required || verdict === "waived" || verdict === "failed" || check === undefined) return false;
  return "command" in check || "file" in check;
}

function withOwner(ratchet: Ratchet, check: CriterionCheck, owner: RatchetOwner): Ratchet {
  const key = checkKey(check);
  const known = ratchet.findIndex((entry) => checkKey(entry.check) === key);
  const entry = ratchet[known];
  if (entry === undefined) return [...ratchet, { check, owners: [owner] }];
  const isThere = entry.owners.some(
    ({ from, criterionId }) => from === owner.from && criterionId === owner.criterionId,
  );
  return isThere ? ratchet : ratchet.with(known, { check: entry.check, owners: [...entry.owners, owner] });
}

const MOST_NAMED = 3;

function keptCriterion(
  check: CriterionCheck,
  owners: readonly RatchetOwner[],
  first: RatchetOwner,
): Criterion {
  const named = owners.slice(0, MOST_NAMED).map(({ from, criterionId }) => `${from} (${criterionId})`);
  const more = owners.length > MOST_NAMED ? ` and ${owners.length - MOST_NAMED} more` : "";
  return {
    id: `kept-${first.from}-${first.criterionId}`,
    text: `${first.text} [accepted for ${named.join(", ")}${more}]`,
    required: true,
    check,
    verdict: "unverified",
  };
}
