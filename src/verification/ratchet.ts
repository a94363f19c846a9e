import type { Criterion, CriterionCheck } from "../contract/task.ts";
import { makeCheckKey } from "./criteria/check-key.ts";

/** The accepted criterion that a check belongs to. */
export interface RatchetOwner {
  /** The delegation it was accepted for. */
  readonly from: string;
  readonly criterionId: string;
  readonly text: string;
  readonly origin?: Criterion["origin"];
}

export interface RatchetEntry {
  readonly check: CriterionCheck;
  readonly owners: readonly RatchetOwner[];
}

/** The checks every later merge must keep green, in the order they were accepted. It only grows. */
export type Ratchet = readonly RatchetEntry[];

/**
 * The ratchet after the work of a delegation is merged. It does not take criteria that were waived, failed or advisory,
 * nor checks that later work cannot break: that something changed, or a decision. Applying it twice changes nothing.
 */
export function extendRatchet(
  ratchet: Ratchet,
  accepted: { readonly from: string; readonly criteria: readonly Criterion[] },
): Ratchet {
  return accepted.criteria.filter(isBindingCriterion).reduce<Ratchet>((entries, criterion) => {
    const { id: criterionId, text, check, origin } = criterion;
    const owner = { from: accepted.from, criterionId, text, ...(origin === undefined ? {} : { origin }) };
    return check === undefined ? entries : addRatchetOwner(entries, check, owner);
  }, ratchet);
}

/** A check of earlier work as a criterion of the current work; its text names the earlier delegation. */
export interface RatchetCheck {
  /** Its id begins with `kept-`. */
  readonly criterion: Criterion;
  readonly owners: readonly RatchetOwner[];
}

/** The checks a merge must keep green in addition to its own required criteria, each once. */
export function listKeptChecks(ratchet: Ratchet, own: readonly Criterion[]): readonly RatchetCheck[] {
  const required = new Set(
    own.filter((criterion) => criterion.required).map(({ check }) => makeCheckKey(check)),
  );
  return ratchet
    .filter(({ check }) => !required.has(makeCheckKey(check)))
    .flatMap(({ check, owners }) => {
      const [first] = owners;
      return first === undefined ? [] : [{ criterion: toKeptCriterion(check, owners, first), owners }];
    });
}

function isBindingCriterion({ required, verdict, check }: Criterion): boolean {
  if (!required || verdict === "waived" || verdict === "failed" || check === undefined) return false;
  return "command" in check || "file" in check;
}

function addRatchetOwner(ratchet: Ratchet, check: CriterionCheck, owner: RatchetOwner): Ratchet {
  const key = makeCheckKey(check);
  const known = ratchet.findIndex((entry) => makeCheckKey(entry.check) === key);
  const entry = ratchet[known];
  if (entry === undefined) return [...ratchet, { check, owners: [owner] }];
  const isKnown = entry.owners.some(
    ({ from, criterionId }) => from === owner.from && criterionId === owner.criterionId,
  );
  return isKnown ? ratchet : ratchet.with(known, { check: entry.check, owners: [...entry.owners, owner] });
}

const MAX_NAMED_OWNERS = 3;

function toKeptCriterion(
  check: CriterionCheck,
  owners: readonly RatchetOwner[],
  first: RatchetOwner,
): Criterion {
  const named = owners.slice(0, MAX_NAMED_OWNERS).map(({ from, criterionId }) => `${from} (${criterionId})`);
  const more = owners.length > MAX_NAMED_OWNERS ? ` and ${owners.length - MAX_NAMED_OWNERS} more` : "";
  return {
    id: `kept-${first.from}-${first.criterionId}`,
    text: `${first.text} [accepted for ${named.join(", ")}${more}]`,
    required: true,
    check,
    verdict: "unverified",
    // One owner that is not a worker is enough: then somebody else asked for the same command.
    ...(owners.every(({ origin }) => origin === "worker") ? { origin: "worker" } : {}),
  };
}
