import { isRecord } from "../../base/json.ts";
import { criterionCheckSchema, type Criterion } from "../../contract/task.ts";
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
    command === "implement" ? readTaskCriteria(subject) : [buildDocumentCriterion(command, folder, document)];
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

const MAX_CRITERIA = 100;

/** `criteria` or `acceptance_criteria` of the task's entry: texts, or objects with text and check. */
function readTaskCriteria(subject: Subject | undefined): readonly (string | CriterionSource)[] {
  const { criteria, acceptance_criteria: accepted } = subject?.task.raw ?? {};
  const list: readonly unknown[] = Array.isArray(criteria)
    ? criteria
    : Array.isArray(accepted)
      ? accepted
      : [];
  return list.slice(0, MAX_CRITERIA).flatMap(readCriterionSource);
}

function readCriterionSource(value: unknown): readonly (string | CriterionSource)[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [value];
  if (!isRecord(value) || typeof value["text"] !== "string") return [];
  const check = criterionCheckSchema.safeParse(value["check"]);
  const required = value["required"] !== false;
  return [{ text: value["text"], required, ...(check.success ? { check: check.data } : {}) }];
}
