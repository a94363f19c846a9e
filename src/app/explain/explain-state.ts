import { countThings } from "../../base/count-things.ts";
import { joinSentences } from "../../base/join-sentences.ts";
import { childId } from "../../contract/child-id.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation } from "../../journal/store.ts";
import {
  isExternalManager,
  isLedWithoutAgent,
  readWorkflowFacts,
} from "../../orchestrator/delegation-kind.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { findStoryProof } from "../project/find-story-proof.ts";
import { answeringCommands, type OpenQuestion } from "../project/open-questions.ts";

/** The facts that explain why a delegation is where it is. */
export interface StateFacts {
  readonly delegation: Delegation;
  readonly tree: readonly Delegation[];
  readonly questions: readonly OpenQuestion[];
  readonly isSupervised: boolean;
  /** Set while the supervisor runs but does not answer. */
  readonly trouble?: string;
  /** The scheduler's reason for the wait, if a supervisor runs. */
  readonly waits: string | null;
  readonly hasStoryBranch: boolean;
  /** Whether the work on that branch is in a branch of the person's. */
  readonly isMerged: boolean;
  /** Whether a required criterion of its own was checked or decided, and met. */
  readonly isProven: boolean;
  readonly nowMs: number;
}

export interface Reason {
  readonly why: readonly string[];
  readonly next: readonly string[];
}

/** Why it is in this state, and what a person can do about it; the most useful first. */
export function explainState(facts: StateFacts): Reason {
  const { delegation, isSupervised, questions, trouble, waits } = facts;
  if (delegation.state === "closed") return whyEnded(facts);
  const asked = questions.filter((question) => question.delegation.id === delegation.id);
  const why = [...asked.map(({ approval }) => `It waits for you: ${approval.question}`), ...whyOpen(facts)];
  const { id, story, state } = delegation;
  if (trouble !== undefined)
    return { why: [trouble, ...why], next: ["ambit supervisor stop --force", `ambit resume ${story}`] };
  const paused =
    waits === null || state === "queued" ? [] : [`${waits.slice(0, 1).toUpperCase()}${waits.slice(1)}.`];
  const stands = isSupervised ? [] : ["No supervisor is running, so nothing continues by itself."];
  const watch = isSupervised ? `ambit attach ${story}` : `ambit resume ${story}`;
  return {
    why: [...paused, ...why, ...stands],
    next: [...asked.flatMap(answeringCommands), watch, `ambit logs ${id} -f`],
  };
}

function whyOpen(facts: StateFacts): readonly string[] {
  const { delegation, waits, nowMs, isSupervised } = facts;
  const { state, attempt, startedAt, turn } = delegation;
  switch (state) {
    case "queued": {
      const pause = turn.notBeforeMs - nowMs;
      const rest = pause > 0 ? [`The next attempt is made in ${renderDuration(pause)}.`] : [];
      const reason = waits === null ? "It waits for its turn." : `It is queued: ${waits}.`;
      return [turn.kind === "begin" ? reason : `${reason} Next: ${turn.kind}. ${turn.note}`.trim(), ...rest];
    }
    case "running": {
      if (isExternalManager(delegation)) return whyOutside(facts);
      if (!isSupervised) return [`Attempt ${attempt} was interrupted.`];
      const since = startedAt === null ? "" : `, for ${renderDuration(nowMs - Date.parse(startedAt))}`;
      return [`Attempt ${attempt} is running${since}.`];
    }
    case "parked":
      return whyParked(facts);
    case "returned":
      return ["It has returned; its work is being proven."];
    case "verified":
      return ["Its work is proven and is being merged."];
    case "merged":
      return ["Its work is merged; it is about to close."];
    case "closed":
      return [];
  }
}

function whyOutside({ delegation, tree }: StateFacts): readonly string[] {
  const { id, agent } = delegation;
  const open = tree.filter(({ parent, state }) => parent === id && state !== "closed");
  const led = `It has an external manager (${agent ?? "unknown"}); it ends when that agent ends it or disconnects.`;
  return [led, ...open.map((worker) => `${worker.id} is ${stateText(worker)}.`)];
}

function whyParked({ delegation, tree, questions }: StateFacts): readonly string[] {
  const waits = delegation.waitingFor.flatMap((id) => {
    const worker = tree.find((one) => one.id === id);
    if (worker !== undefined)
      return worker.state === "closed" ? [] : [`It waits for ${id}: ${stateText(worker)}.`];
    const isOpen = questions.some(({ approval }) => approval.id === id);
    return isOpen ? [`It waits for the answer to ${id}.`] : [];
  });
  if (waits.length > 0) return waits;
  return isExternalManager(delegation)
    ? ["Its external manager has disconnected; it ends unless the manager returns soon."]
    : ["Everything it waited for is there; it continues next."];
}

function stateText({ state, outcome, description }: Delegation): string {
  return `${nameOutcome(outcome ?? state)} (${description})`;
}

function whyEnded({ delegation, tree, hasStoryBranch, isMerged, isProven }: StateFacts): Reason {
  const { id, story, outcome, code, summary, filesChanged } = delegation;
  if (outcome === "completed") {
    const isStory = id === story;
    const merged = isMerged ? ", and it is merged" : "";
    const where = isStory && hasStoryBranch ? ` Its work is on the branch ambit/${story}${merged}.` : "";
    const next =
      isStory && hasStoryBranch
        ? [`ambit diff ${id}`, `ambit merge ${id}${isMerged ? " --undo" : ""}`]
        : [`ambit tree ${story}`];
    return {
      why: [
        `${describeProof(delegation, { tree, isProven })}${where}`,
        summary,
        ...describeAdvice(delegation),
      ],
      next,
    };
  }
  const facts = readWorkflowFacts(delegation);
  if (facts !== undefined) return whyWorkflowEnded(delegation, { facts, tree });
  if (isExternalManager(delegation)) return whyOutsideEnded(delegation, hasStoryBranch);
  const kept =
    filesChanged.length === 0
      ? "It changed no files."
      : `${countThings(filesChanged.length, "changed file")} ${filesChanged.length === 1 ? "is" : "are"} kept on the branch delegation/${id}.`;
  const ended = `It ended ${nameOutcome(outcome ?? "without an outcome")}${code === null ? "" : ` (${code})`}: ${summary}`;
  const look = filesChanged.length === 0 ? `ambit logs ${id}` : `ambit diff ${id}`;
  return {
    why: [ended, ...describeAdvice(delegation), kept],
    next: [`ambit resume ${id}`, look, `ambit retry ${id}`],
  };
}

function describeProof(
  delegation: Delegation,
  { tree, isProven }: Pick<StateFacts, "tree" | "isProven">,
): string {
  if (isProven || (isLedWithoutAgent(delegation) && findStoryProof(delegation, tree) !== "unchecked"))
    return "It is completed: every required criterion was met.";
  return "It is completed, but not proven: no check ran.";
}

/** In the worker's own words. */
function describeAdvice({ errors, nextSteps }: Delegation): readonly string[] {
  const told = errors.map(({ code, message, recommendation }) =>
    joinSentences(`${code}: ${message}`, recommendation),
  );
  return nextSteps === "" ? told : [...told, `Its worker advises next: ${nextSteps}`];
}

/** The command itself did nothing; its worker did, and giving the command again goes on from there. */
function whyWorkflowEnded(
  { id, outcome, code, summary }: Delegation,
  { facts, tree }: { readonly facts: WorkflowFacts; readonly tree: readonly Delegation[] },
): Reason {
  const how = `${nameOutcome(outcome ?? "without an outcome")}${code === null ? "" : ` (${code})`}`;
  const again = facts.task === null ? [] : [`ambit ${facts.command} ${facts.task}`];
  const ended = `The command ${facts.command} handed its work to ${facts.agent} and ended ${how}: ${summary}`;
  const last = tree.findLast(({ parent }) => parent === id);
  const worker = last?.id ?? childId(id, 1);
  const told = last === undefined ? [] : describeAdvice(last);
  return { why: [ended, ...told], next: [...again, `ambit explain ${worker}`, `ambit diff ${worker}`] };
}

/** There is nothing of its own to go on with: only what its workers completed is here. */
function whyOutsideEnded({ id, outcome, code, summary }: Delegation, hasStoryBranch: boolean): Reason {
  const why = code === null ? "" : ` (${code})`;
  const ended = `It had an external manager and ended ${nameOutcome(outcome ?? "without an outcome")}${why}: ${summary}`;
  if (!hasStoryBranch) return { why: [ended, "Nothing was merged."], next: [`ambit tree ${id}`] };
  return {
    why: [ended, `What was completed is on the branch ambit/${id}.`],
    next: [`ambit diff ${id}`, `ambit merge ${id} --partial`, `ambit tree ${id}`],
  };
}
