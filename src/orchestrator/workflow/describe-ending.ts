import type { Outcome } from "../../contract/outcome.ts";
import type { Settlement } from "../../journal/store.ts";
import { renderMarker } from "../../tasks/task.ts";
import { taskStatuses } from "../../contract/task.ts";
import { findOpenPhase, judgeOutcome, listChangedFiles, type Ended } from "./judge-ending.ts";
import type { SettledWorkflow } from "./settle-workflow.ts";

interface WorkflowEnding extends Ended {
  readonly settled: SettledWorkflow;
}

/** Describes how a command ends, in words that a person can act on: the outcome, the task's status, and the next step. */
export function describeWorkflow(ending: WorkflowEnding): Settlement {
  const { worker, workers, settled } = ending;
  const outcome: Outcome = settled.isPhantom ? "failed" : judgeOutcome(ending);
  const code = chooseCode(ending, outcome);
  const filesChanged = listChangedFiles(workers);
  const isIdle = outcome === "completed" && filesChanged.length === 0;
  const parts = [
    describeOutcome(ending),
    ...(isIdle ? ["It changed no file."] : []),
    ...(outcome === worker.outcome || settled.isPhantom ? [] : describeOpenPhase(ending)),
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
    filesChanged,
  };
}

function chooseCode({ worker, settled }: WorkflowEnding, outcome: Outcome): string | null {
  if (settled.isPhantom) return "ARTIFACT_EMPTY";
  return outcome === "partial" && worker.outcome === "completed" ? "TASK_NOT_VERIFIED" : worker.code;
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

function describeOutcome({ facts, worker, settled, done }: WorkflowEnding): string {
  const work = Object.entries(workNames).find(([name]) => name === facts.command)?.[1] ?? facts.command;
  if (settled.isPhantom)
    return `${work} reports that it is done, but left no document with content below ${facts.folder}. ${worker.summary}`;
  if (worker.outcome !== "timed_out") return worker.summary;
  const at = findOpenPhase(facts, done);
  const during = at === undefined ? "" : ` during phase ${at.number} of ${facts.plan?.phases ?? 0}`;
  return `${work} timed out after ${worker.timeoutSeconds}s${during}. ${worker.summary}`;
}

/** Its worker says that it is done, and nothing proves it; or the plan has more phases than one command carries out. */
function describeOpenPhase({ facts, done, root }: WorkflowEnding): readonly string[] {
  const open = findOpenPhase(facts, done);
  if (open === undefined || root.cancelRequested) return [];
  return [`Phase ${open.number} is not proven: its worker changed no file, and no check passed.`];
}

function describeStatus({ facts, settled, done }: WorkflowEnding): readonly string[] {
  const status = taskStatuses.find((known) => known === settled.status);
  const isPart = facts.command === "implement" && done.length > 0 && done.length < (facts.plan?.phases ?? 0);
  return [
    ...(facts.task === null || status === undefined
      ? []
      : [`Task ${facts.task} is ${renderMarker(status)}.`]),
    ...(isPart ? [`Done: phase ${done.map(({ number }) => number).join(", ")}.`] : []),
  ];
}

/** Describes how to continue after anything but success (R129). */
function describeNext({ facts, worker, done }: WorkflowEnding, outcome: Outcome): readonly string[] {
  if (outcome === "completed" || facts.task === null) return [];
  const command = `ambit ${facts.command} ${facts.task}`;
  const phase = findOpenPhase(facts, done);
  if (phase !== undefined) return [`Run \`${command}\` again to resume from phase ${phase.number}.`];
  const hasWork = done.length > 0 || (worker.filesChanged.length > 0 && outcome !== "failed");
  return [
    hasWork ? `Run \`${command}\` again to continue from the kept work.` : `Run \`${command}\` to try again.`,
  ];
}
