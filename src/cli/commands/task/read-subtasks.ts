import { DelegationError, messageOf } from "../../../base/delegation-error.ts";
import type { NewSubtask } from "../../../tasks/task.ts";
import type { CommandContext } from "../../command-module.ts";
import { readInputText } from "../../read-input.ts";
import { excerpt } from "../../../base/visible-text.ts";

/**
 * The subtasks of a division: a JSON list of titles or objects, bare or under `subtasks`. What is wrong with a single
 * one is for the task store to say, which then takes back the whole division.
 */
export async function readSubtasks(context: CommandContext, file: string): Promise<readonly NewSubtask[]> {
  const document = parse(await readInputText(file, context), file);
  const list: unknown = Array.isArray(document) ? document : fieldsOf(document)["subtasks"];
  if (!Array.isArray(list) || list.length === 0) throw unusable(file, "holds no list of subtasks", undefined);
  return list.map(readSubtask);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(file, `is not JSON: ${messageOf(error)}`, error);
  }
}

function unusable(file: string, reason: string, cause: unknown): DelegationError {
  return new DelegationError({
    code: "INPUT_UNREADABLE",
    message: `${excerpt(file, 200)} ${reason}`,
    recommendation: 'It needs [{"title": "…", "description": "…", "after": [1]}, …], or just titles.',
    cause,
  });
}

function readSubtask(value: unknown): NewSubtask {
  if (typeof value === "string") return { title: value };
  const fields = fieldsOf(value);
  const title = isText(fields["title"]) ? fields["title"] : "";
  const dependencies = listOf(fields["dependencies"] ?? fields["depends_on"], isIdPart);
  const after = listOf(fields["after"], isNumber);
  const criteria = listOf(fields["criteria"] ?? fields["acceptance_criteria"], isText);
  const texts = ["description", "language", "priority", "effort"].filter((name) => isText(fields[name]));
  return {
    title,
    ...Object.fromEntries(texts.map((name) => [name, fields[name]])),
    ...(dependencies.length === 0 ? {} : { dependencies }),
    ...(after.length === 0 ? {} : { after }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function listOf<Item>(value: unknown, belongs: (item: unknown) => item is Item): readonly Item[] {
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
