/** The meaning of a red or green check, compared with the tree that the work started from. */
export const checkMeanings = ["proves", "no-regression", "proves-nothing", "broken", "red-before"] as const;
export type CheckMeaning = (typeof checkMeanings)[number];

const meaningWords: Readonly<Record<CheckMeaning, string>> = {
  proves: "red before, green now: proves the work",
  "no-regression": "green before, too: no regression",
  "proves-nothing": "green before, nothing changed: proves nothing",
  broken: "green before: broken by the work",
  "red-before": "red before the work, too",
};

/** Notes that a person needs with a verdict, in words that every surface shows behind it. */
export function listVerdictNotes({
  flaky = false,
  meaning,
}: {
  readonly flaky?: boolean | undefined;
  readonly meaning?: CheckMeaning | undefined;
}): readonly string[] {
  return [...(flaky ? ["flaky"] : []), ...(meaning === undefined ? [] : [meaningWords[meaning]])];
}

/**
 * The meaning of the checks of accepted work: the work is proven, nothing else broke, nothing is shown, or no check
 * ran.
 */
export const workProofs = ["proven", "no-regression", "nothing", "unchecked"] as const;
export type WorkProof = (typeof workProofs)[number];

const fromWeakest = [
  "unchecked",
  "nothing",
  "no-regression",
  "proven",
] as const satisfies readonly WorkProof[];

/** Work of several parts is proven as well as the weakest of them. */
export function findWeakestProof(proofs: readonly WorkProof[]): WorkProof {
  return fromWeakest.find((proof) => proofs.includes(proof)) ?? "unchecked";
}
