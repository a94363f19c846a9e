import { readErrorMessage } from "../../base/delegation-error.ts";
import { taskListErrors } from "../../errors/work.ts";
import type { NewSubtask } from "../../tasks/task.ts";

/**
 * The subtasks of a division: a JSON list of titles or objects, bare or under `subtasks`. The task store judges each
 * single one, and rolls the whole division back when one is wrong.
 */
export function parseSubtasks({
  text,
  source,
}: {
  readonly text: string;
  readonly source: string;
}): readonly NewSubtask[] {
  const document = parseDocument(text, source);
  const list: unknown = Array.isArray(document) ? document : readFields(document)["subtasks"];
  if (!Array.isArray(list) || list.length === 0)
    throw taskListErrors.unusableSubtasks(source, "holds no list of subtasks");
  return list.map(readSubtask);
}

function parseDocument(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw taskListErrors.unusableSubtasks(source, `is not JSON: ${readErrorMessage(error)}`, error);
  }
}

function readSubtask(value: unknown): NewSubtask {
  if (typeof value === "string") return { title: value };
  const fields = readFields(value);
  const title = isText(fields["title"]) ? fields["title"] : "";
  const dependencies = readList(fields["dependencies"] ?? fields["depends_on"], isIdPart);
  const after = readList(fields["after"], isNumber);
  const criteria = readList(fields["criteria"] ?? fields["acceptance_criteria"], isText);
  const texts = ["description", "language", "priority", "effort"].filter((name) => isText(fields[name]));
  return {
    title,
    ...Object.fromEntries(texts.map((name) => [name, fields[name]])),
    ...(dependencies.length === 0 ? {} : { dependencies }),
    ...(after.length === 0 ? {} : { after }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function readList<Item>(value: unknown, belongs: (item: unknown) => item is Item): readonly Item[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter(belongs);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function isIdPart(value: unknown): value is string | number {
  return isText(value) || isNumber(value);
}
