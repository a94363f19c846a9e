import type { Criterion } from "../../contract/task.ts";
import { readTaskCriteria } from "../../tasks/criterion-sources.ts";
import { readCriteria, type CriterionSource } from "../../verification/read-criteria.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { Subject } from "./check-workflow.ts";

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
