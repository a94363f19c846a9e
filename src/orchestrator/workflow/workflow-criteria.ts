import type { Criterion } from "../../contract/task.ts";
import { readTaskCriteria } from "../../tasks/criterion-sources.ts";
import { readCriteria, type CriterionSource } from "../../verification/read-criteria.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { Subject } from "./check-workflow.ts";
import type { PlanPhase } from "./plan-phases.ts";
import type { PlannedPhase } from "./proven-phases.ts";

export interface CriteriaQuestion {
  readonly command: string;
  readonly subject: Subject | undefined;
  readonly folder: string;
  readonly document: string | null;
}

/** The criteria of a command: a document must exist, an implementation must meet the task's own criteria. */
export async function buildCriteria(
  tools: RunTools,
  question: CriteriaQuestion,
): Promise<{ readonly criteria: readonly Criterion[]; readonly warnings: readonly string[] }> {
  const { command, subject, document, folder } = question;
  if (command === "meta") return { criteria: [], warnings: [] };
  const sources =
    command === "implement"
      ? readTaskCriteria(subject?.task)
      : [buildDocumentCriterion(command, folder, document)];
  const { testCommand } = await tools.settings();
  const { criteria, warnings } = readCriteria(sources, {
    testCommand,
    description: subject?.task.title ?? command,
  });
  return { criteria, warnings: warnings.map(({ message }) => message) };
}

/** A new version of a plan is a new file; a report may have any name below its folder. */
function buildDocumentCriterion(command: string, folder: string, document: string | null): CriterionSource {
  const path = document ?? folder;
  if (command === "revise") return { text: `The new version ${path} exists`, check: { file: path } };
  const place = path.slice(0, path.lastIndexOf("/"));
  return { text: `A document is written below ${place}`, check: { changed: `${place}/**` } };
}

/**
 * The criteria of each phase: its own checks, and for the last one also those of the task. An agent wrote the plan, so a
 * command that it names is run like every command of a worker, in a sandbox.
 */
export async function buildPhaseCriteria(
  tools: RunTools,
  { subject, phases }: { readonly subject: Subject | undefined; readonly phases: readonly PlanPhase[] },
): Promise<{ readonly todo: readonly PlannedPhase[]; readonly warnings: readonly string[] }> {
  const { testCommand } = await tools.settings();
  const read = phases.map(({ number, title, checks }, index) => {
    const own = checks.map((text): CriterionSource => ({ text, origin: "worker" }));
    const isLast = index === phases.length - 1;
    const sources = isLast ? [...own, ...readTaskCriteria(subject?.task)] : own;
    const description = `phase ${number}: ${title}`;
    const { criteria, warnings } = readCriteria(sources, { testCommand, description });
    return { phase: { number, title, criteria: [...criteria] }, warnings: isLast ? [] : warnings };
  });
  return {
    todo: read.map(({ phase }) => phase),
    warnings: [...new Set(read.flatMap(({ warnings }) => warnings.map(({ message }) => message)))],
  };
}
