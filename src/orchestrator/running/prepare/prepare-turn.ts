import { DelegationError } from "../../../base/delegation-error.ts";
import type { Delegation } from "../../../journal/store.ts";
import { listRejectedProblems } from "../../../contract/explain-return.ts";
import { quoteAsData } from "../../delegation/data-block.ts";
import { importRemainingWork } from "../../delegation/keep-work.ts";
import {
  findBroughtWork,
  findManagerHead,
  findMergeTarget,
  type ManagerHead,
} from "../../delegation/manager-branch.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { WorkPlace } from "../../ports/work-place.ts";
import { describeMessages } from "../../messages/pending-messages.ts";
import { describeTodos } from "../../todos/read-todos.ts";
import { describeResults } from "./describe-results.ts";

/** The news since the last attempt, for the next one's prompt. */
export interface Turn {
  readonly news: readonly string[];
}

/** Brings the workspace to the state that the prompt describes, and reports the news. Nothing runs in it meanwhile. */
export async function prepareTurn(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<Turn> {
  const { news } = await describeTurn(tools, delegation, place);
  const messages = await describeMessages(tools, delegation);
  // A first turn has no list yet; every later turn may be a new session that does not know it.
  const list = delegation.attempt > 1 ? await describeTodos(tools, delegation) : [];
  return { news: [...news, ...messages, ...list] };
}

async function describeTurn(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<Turn> {
  const { kind, note } = delegation.turn;
  switch (kind) {
    case "begin":
      return { news: describeInterruption(delegation) };
    case "results":
      return {
        news: [
          ...(await takeResults(tools, delegation, place)),
          ...(await describeAnswers(tools, delegation)),
          ...(note === "" ? [] : [`Also: ${note}`]),
        ],
      };
    case "answer":
      return { news: await describeAnswers(tools, delegation) };
    case "conflict":
      return { news: await retryOnceSaved(tools, delegation, (saved) => showConflict(tools, saved, place)) };
    case "repair":
      return {
        news: [
          "Your work is kept. Only your return is missing or wrong: hand it in as described below. What was wrong:",
          listRejectedProblems(note),
        ],
      };
    case "retry":
      return {
        news: [
          "Your last attempt was not accepted:",
          quoteAsData("checks", note),
          "Your files are as you left them. Correct the work.",
        ],
      };
    case "handover":
      return { news: await describeHandover(tools, delegation, place) };
  }
}

/** A new session does not know the prompts of the earlier one. */
async function describeHandover(
  tools: RunTools,
  delegation: Delegation,
  place: WorkPlace,
): Promise<readonly string[]> {
  const { note } = delegation.turn;
  const notes = note === "" ? ["It left no notes."] : ["Its notes:", quoteAsData("earlier session", note)];
  const results = delegation.waitingFor.length === 0 ? [] : await takeResults(tools, delegation, place);
  const answers = await describeAnswers(tools, delegation);
  return ["You continue another session, in its folder.", ...notes, ...results, ...answers];
}

function describeInterruption({ attempt }: Delegation): readonly string[] {
  if (attempt <= 1) return [];
  return ["An earlier attempt was interrupted. Its files are in the folder; continue from there."];
}

/** The workers' merged work comes into the manager's folder with the news about it. */
async function takeResults(
  tools: RunTools,
  manager: Delegation,
  place: WorkPlace,
): Promise<readonly string[]> {
  const head = await retryOnceSaved(tools, manager, (saved) => advanceToHead(tools, saved, place));
  const results = await describeResults(tools, manager);
  if (head.conflicts.length === 0) return results;
  const files = head.conflicts.join(", ");
  return [
    ...results,
    `Your own uncommitted changes to ${files} conflict with them and were set aside on your branch.`,
  ];
}

async function advanceToHead(tools: RunTools, manager: Delegation, place: WorkPlace): Promise<ManagerHead> {
  const head = await findManagerHead(tools, manager.id);
  if (head.commit !== (manager.tip ?? manager.base)) await place.advance(head.commit);
  return head;
}

/** After a crash an earlier attempt's files may not be imported yet: the disk was full, or git was killed. */
async function retryOnceSaved<Result>(
  tools: RunTools,
  delegation: Delegation,
  move: (delegation: Delegation) => Promise<Result>,
): Promise<Result> {
  try {
    return await move(delegation);
  } catch (error) {
    if (!(error instanceof DelegationError && error.code === "WORK_NOT_SAVED")) throw error;
    await importRemainingWork(tools, delegation);
    return move((await tools.store.delegation(delegation.id)) ?? delegation);
  }
}

async function describeAnswers(tools: RunTools, delegation: Delegation): Promise<readonly string[]> {
  const approvals = await tools.store.approvalsOf(delegation.id);
  return approvals
    .filter(({ id, kind }) => kind === "clarification" && delegation.waitingFor.includes(id))
    .map(({ question, answer, reason, answeredBy }) =>
      answer === "replied"
        ? `You asked: ${question}\n${quoteAsData(answeredBy ?? "person", reason)}`
        : `You asked: ${question}\nThere was no answer. Use your best judgement and say what you assumed.`,
    );
}

/** The workspace shows both sides merged, with markers where they changed the same lines; no branch moves. */
async function showConflict(
  tools: RunTools,
  delegation: Delegation,
  place: WorkPlace,
): Promise<readonly string[]> {
  const target = await findMergeTarget(tools, delegation);
  const brought = await findBroughtWork(tools, delegation);
  const tip = brought.tip ?? target.commit;
  // Its own workers come first: only work without conflicts of its own can be merged with other work.
  const other = (brought.own?.conflicts.length ?? 0) > 0 ? brought.own?.branchTip : undefined;
  const onto = other ?? target.commit;
  const merge = await tools.git.merge(onto, tip);
  if (merge.status === "conflict" && merge.tree !== null) await place.showMerge([onto, tip], merge.tree);
  const files = merge.status === "conflict" ? merge.files.join(", ") : "none";
  return [
    "Your work conflicts with work that was merged in the meantime.",
    `Your folder now holds both, with conflict markers in: ${files}.`,
    "Resolve them so that both purposes are served, keep everything else, and return again.",
  ];
}
