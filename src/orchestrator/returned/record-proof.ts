import type { Delegation } from "../../journal/store.ts";
import type { ComparedResult } from "../../verification/compare-base.ts";
import { findProof } from "../../verification/find-proof.ts";
import type { Judgement } from "../../verification/judge.ts";
import { recordEvent } from "../delegation/record.ts";
import type { RunTools } from "../ports/run-tools.ts";

export interface AcceptedWork {
  readonly delegation: Delegation;
  /** The proven merge, and the commit of the branch that it replaces. */
  readonly commit: string;
  readonly onto: string | null;
  /** The commit that the checks ran on. */
  readonly checkedOn: string;
  readonly changedFiles: readonly string[];
  readonly judgement: Judgement;
  readonly results: readonly ComparedResult[];
}

/** Announces exactly the commit that the branch moves to. */
export async function recordProof(tools: RunTools, work: AcceptedWork): Promise<void> {
  const { delegation, commit, onto, checkedOn, changedFiles, judgement, results } = work;
  const data = {
    passed: judgement.passed.length,
    failed: judgement.failed.length,
    unverified: judgement.unverified.length,
    waived: [...judgement.waived],
    candidate: commit === onto ? null : commit,
    onto,
    ...(checkedOn === commit ? {} : { checkedOn }),
    filesChanged: [...changedFiles],
    proof: findProof(judgement, results),
  };
  await recordEvent(tools, delegation, { type: "delegation-verified", data });
}
