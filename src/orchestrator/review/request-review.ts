import { safeText } from "../../base/safe-text.ts";
import type { Criterion } from "../../contract/task.ts";
import type { Failed } from "../../guards/verdict.ts";
import type { Admission, Delegation, NewDelegation } from "../../journal/store.ts";
import { findApproval } from "../approvals/ask-approval.ts";
import { quoteAsData } from "../delegation/data-block.ts";
import { addNote } from "../delegation/record.ts";
import { routeDelegations } from "../opening/route.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { findReview, readFindings } from "./find-review.ts";

export interface WorkToReview {
  readonly delegation: Delegation;
  /** The merged tree that the checks ran on. */
  readonly commit: string;
  readonly changedFiles: readonly string[];
  /** Criteria that no command can check and that are still undecided. */
  readonly criteria: readonly Criterion[];
}

/**
 * `open` while the reviewer is at work. Otherwise it decides nothing (more), and `why` gives the reason to the person who
 * is asked.
 */
export type RequestedReview = { readonly kind: "open" } | { readonly kind: "over"; readonly why: string };

/**
 * Asks the agent that the project names as its reviewer, once for each attempt of the work. The review is a delegation below
 * the work: it counts, costs and takes time like any other. An agent on the path of the work cannot review it.
 */
export async function requestReview(tools: RunTools, work: WorkToReview): Promise<RequestedReview> {
  const { delegation } = work;
  const { reviewer } = await tools.settings();
  const review = await findReview(tools, delegation);
  if (review !== undefined)
    return review.state === "closed" ? describeEnd(tools, delegation, review) : { kind: "open" };
  const isAsked = (await findApproval(tools, delegation, "criterion")) !== undefined;
  if (reviewer === null || isAsked) return { kind: "over", why: "" };
  const admission = await admitReview(tools, work, reviewer);
  if (admission.admitted) return { kind: "open" };
  const reasons = admission.failures.map(({ message }) => message.replace(/\.$/, ""));
  const why = `The reviewer ${reviewer} could not be asked: ${reasons.join("; ")}.`;
  await addNote(tools, delegation, why);
  return { kind: "over", why };
}

async function describeEnd(
  tools: RunTools,
  delegation: Delegation,
  review: Delegation,
): Promise<RequestedReview> {
  const { id, agent, outcome, summary } = review;
  const findings = await readFindings(tools, delegation, review);
  const said = findings.filter(({ verdict }) => verdict === "unverified").map(({ evidence }) => evidence);
  const result = outcome === "completed" ? "did not decide it" : `ended ${outcome ?? "early"}`;
  const why = safeText(said.length === 0 ? (summary.split("\n")[0] ?? "") : said.join("; "));
  return { kind: "over", why: `The reviewer ${agent ?? id} ${result} (${id}): ${why.slice(0, MAX_SUMMARY)}` };
}

const MAX_SUMMARY = 600;

async function admitReview(tools: RunTools, work: WorkToReview, reviewer: string): Promise<Admission> {
  const { delegation, commit, criteria } = work;
  const { id, attempt } = delegation;
  const request = { description: `Review the work of ${id}`, agent: reviewer, context: describeWork(work) };
  const [routed] = await routeDelegations(tools, delegation, [request]);
  if (routed?.work === undefined) throw new TypeError("a reviewer needs an agent");
  const review = { of: id, attempt, criteria: criteria.map((one) => ({ id: one.id, text: one.text })) };
  const wanted: NewDelegation = {
    ...routed,
    criteria: [],
    scope: [],
    work: { ...routed.work, criteria: [], base: commit, review },
    refusals: [...(routed.refusals ?? []), ...refuseOwnWork(delegation, reviewer)],
  };
  const [admission] = await tools.store.admit({
    parent: id,
    parentAttempt: attempt,
    isReview: true,
    requests: [wanted],
  });
  if (admission === undefined) throw new TypeError("a request has an answer");
  return admission;
}

/** Also refuses a plain program, which may be on a path twice otherwise. */
function refuseOwnWork({ path }: Delegation, reviewer: string): readonly Failed[] {
  if (!path.includes(reviewer)) return [];
  return [
    {
      ok: false,
      code: "CYCLE_DETECTED",
      message: `${reviewer} took part in the work and cannot review it`,
      details: [],
      suggestion: "Name another agent in verification.reviewer.",
    },
  ];
}

const MAX_FILES = 200;

function describeWork({ delegation, criteria, changedFiles, commit }: WorkToReview): string {
  const { description, summary, base } = delegation;
  const files = changedFiles.slice(0, MAX_FILES).map((path) => safeText(path));
  const more = changedFiles.length - files.length;
  return [
    "You review work that another agent did. This folder holds it, merged with everything before it.",
    `Its changes: git diff ${base ?? `${commit}^`} HEAD`,
    quoteAsData("the task", safeText(description)),
    quoteAsData("the worker", safeText(summary)),
    quoteAsData("changed files", [...files, ...(more > 0 ? [`and ${more} more`] : [])].join("\n")),
    "No command can check these criteria. Look at the files and judge each; what the worker says about its work is not evidence.",
    ...criteria.map(({ id, text }) => `- ${id}: ${safeText(text)}`),
  ].join("\n");
}
