import type { Outcome } from "../../contract/outcome.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import type { Delegation, Settlement } from "../../journal/store.ts";
import { renderMarker } from "../../tasks/task.ts";
import { taskStatuses } from "../../contract/task.ts";
import type { PlanPhase } from "./plan-phases.ts";
import { findNextPhase } from "./plan-phases.ts";
import type { SettledWorkflow } from "./settle-workflow.ts";

export interface WorkflowEnding {
  readonly facts: WorkflowFacts;
  readonly worker: Delegation;
  readonly settled: SettledWorkflow;
  /** From the newest work; empty without a plan. */
  readonly phases: readonly PlanPhase[];
}

/** How a command ends, in words that a person can act on: what happened, the task's status, what to do next. */
export function describeWorkflow(ending: WorkflowEnding): Settlement {
  const { worker, settled } = ending;
  const outcome: Outcome = settled.isPhantom ? "failed" : (worker.outcome ?? "failed");
  const code = settled.isPhantom ? "ARTIFACT_EMPTY" : worker.code;
  const isIdle = outcome === "completed" && worker.filesChanged.length === 0;
  const parts = [
    describeOutcome(ending),
    ...(isIdle ? ["It changed no file."] : []),
    ...describeStatus(ending),
    ...settled.notes,
    ...describeNext(ending, outcome),
  ];
  return {
    outcome,
    ...(code === null ? {} : { code }),
    summary: parts
      .filter((part) => part !== "")
      .join("\n")
      .slice(0, MAX_SUMMARY_LENGTH),
    filesChanged: worker.filesChanged,
  };
}

const MAX_SUMMARY_LENGTH = 8000;

/** The name of the work in a sentence (R66): "Implementation timed out after 7200s". */
const workNames: Readonly<Record<string, string>> = {
  research: "Research",
  plan: "Planning",
  implement: "Implementation",
  revise: "Revision",
  review: "Review",
};

function describeOutcome({ facts, worker, settled, phases }: WorkflowEnding): string {
  const work = Object.entries(workNames).find(([name]) => name === facts.command)?.[1] ?? facts.command;
  if (settled.isPhantom)
    return `${work} reports that it is done, but left no document with content below ${facts.folder}. ${worker.summary}`;
  if (worker.outcome !== "timed_out") return worker.summary;
  const at = findNextPhase(phases);
  const during = at === null ? "" : ` during phase ${at} of ${phases.length}`;
  return `${work} timed out after ${worker.timeoutSeconds}s${during}. ${worker.summary}`;
}

function describeStatus({ facts, settled, phases }: WorkflowEnding): readonly string[] {
  const status = taskStatuses.find((known) => known === settled.status);
  const done = phases.filter(({ isDone }) => isDone).map(({ number }) => number);
  return [
    ...(facts.task === null || status === undefined
      ? []
      : [`Task ${facts.task} is ${renderMarker(status)}.`]),
    ...(done.length === 0 || done.length === phases.length ? [] : [`Done: phase ${done.join(", ")}.`]),
  ];
}

/** How to continue after anything but success (R129). */
function describeNext({ facts, worker, phases }: WorkflowEnding, outcome: Outcome): readonly string[] {
  if (outcome === "completed" || facts.task === null) return [];
  const command = `ambit ${facts.command} ${facts.task}`;
  const phase = findNextPhase(phases);
  if (phase !== null && facts.command === "implement")
    return [`Run \`${command}\` again to resume from phase ${phase}.`];
  const hasWork = worker.filesChanged.length > 0 && outcome !== "failed";
  return [
    hasWork ? `Run \`${command}\` again to continue from the kept work.` : `Run \`${command}\` to try again.`,
  ];
}
