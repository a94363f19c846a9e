import { DelegationError } from "../../../base/delegation-error.ts";
import type { Delegation } from "../../../journal/store.ts";
import { keepWhatThereIs } from "../../delegation/keep-work.ts";
import { broughtWork, managerHead, mergeTarget, type ManagerHead } from "../../delegation/manager-branch.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { WorkPlace } from "../../project/work-places.ts";
import { messageNews } from "../../messages/pending-messages.ts";
import { todoNews } from "../../todos/read-todos.ts";
import { describeResults } from "./describe-results.ts";

/** What the next attempt is told about what happened since the last one. */
export interface Turn {
  readonly news: readonly string[];
}

/** Brings the place to the state the turn speaks of, and says what is new. Nothing runs in it at this time. */
export async function furnishTurn(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<Turn> {
  const { news } = await takeTurn(tools, delegation, place);
  const messages = await messageNews(tools, delegation);
  // Who begins has no list yet; every later turn may be another session that knows nothing of it.
  const list = delegation.attempt > 1 ? await todoNews(tools, delegation) : [];
  return { news: [...news, ...messages, ...list] };
}

async function takeTurn(tools: RunTools, delegation: Delegation, place: WorkPlace): Promise<Turn> {
  const { kind, note } = delegation.turn;
  switch (kind) {
    case "begin":
      return { news: begunBefore(delegation) };
    case "results":
      return {
        news: [
          ...(await takeResults(tools, delegation, place)),
          ...(await describeAnswers(tools, delegation)),
          ...section("Also", note),
        ],
      };
    case "answer":
      return { news: await describeAnswers(tools, delegation) };
    case "conflict":
      return { news: await savedFirst(tools, delegation, (saved) => showConflict(tools, saved, place)) };
    case "repair":
      return {
        news: [
          "Your last return was not accepted:",
          note,
          "Your files are as you left them. Correct the return.",
        ],
      };
    case "retry":
      return {
        news: [
          "Your last attempt was not accepted:",
          note,
          "Your files are as you left them. Correct the work.",
        ],
      };
    case "handover":
      return { news: ["You go on from where another session ended. Of it is known:", note] };
  }
}

function begunBefore({ attempt }: Delegation): readonly string[] {
  if (attempt <= 1) return [];
  return ["An earlier attempt was interrupted. What it left is in the folder; go on from there."];
}

/** The workers' merged work comes into the manager's folder with the news about it. */
async function takeResults(
  tools: RunTools,
  manager: Delegation,
  place: WorkPlace,
): Promise<readonly string[]> {
  const head = await savedFirst(tools, manager, (saved) => advanceToHead(tools, saved, place));
  const results = await describeResults(tools, manager);
  if (head.conflicts.length === 0) return results;
  const files = head.conflicts.join(", ");
  return [
    ...results,
    `Your own uncommitted changes to ${files} contradict them and were set aside on your branch.`,
  ];
}

async function advanceToHead(tools: RunTools, manager: Delegation, place: WorkPlace): Promise<ManagerHead> {
  const head = await managerHead(tools, manager.id);
  if (head.commit !== (manager.tip ?? manager.base)) await place.advance(head.commit);
  return head;
}

/** After a crash, what an earlier attempt left may not have been imported yet: the disk was full, git was killed. */
async function savedFirst<Result>(
  tools: RunTools,
  delegation: Delegation,
  move: (delegation: Delegation) => Promise<Result>,
): Promise<Result> {
  try {
    return await move(delegation);
  } catch (error) {
    if (!(error instanceof DelegationError && error.code === "WORK_NOT_SAVED")) throw error;
    await keepWhatThereIs(tools, delegation);
    return move((await tools.store.delegation(delegation.id)) ?? delegation);
  }
}

async function describeAnswers(tools: RunTools, delegation: Delegation): Promise<readonly string[]> {
  const approvals = await tools.store.approvalsOf(delegation.id);
  return approvals
    .filter(({ id, kind }) => kind === "clarification" && delegation.waitingFor.includes(id))
    .map(({ question, answer, reason, answeredBy }) =>
      answer === "replied"
        ? `You asked: ${question}\n${answeredBy ?? "somebody"} answered: ${reason}`
        : `You asked: ${question}\nNobody answered. Go on by your best judgement and say what you assumed.`,
    );
}

/** The files are shown merged, with markers where both sides changed the same lines; the branch is untouched. */
async function showConflict(
  tools: RunTools,
  delegation: Delegation,
  place: WorkPlace,
): Promise<readonly string[]> {
  const target = await mergeTarget(tools, delegation);
  const brought = await broughtWork(tools, delegation);
  const tip = brought.tip ?? target.commit;
  // Its own workers first: only work that agrees with itself can be merged with anybody's.
  const other = (brought.own?.conflicts.length ?? 0) > 0 ? brought.own?.branchTip : undefined;
  const onto = other ?? target.commit;
  const merge = await tools.git.merge(onto, tip);
  if (merge.status === "conflict" && merge.tree !== null) await place.showMerge([onto, tip], merge.tree);
  const files = merge.status === "conflict" ? merge.files.join(", ") : "none any more";
  return [
    "Your work contradicts what others have merged in the meantime.",
    `Your folder now holds both, with conflict markers in: ${files}.`,
    "Resolve them so that both purposes are served, keep everything else, and return again.",
  ];
}

function section(title: string, text: string): readonly string[] {
  return text === "" ? [] : [`${title}: ${text}`];
}
