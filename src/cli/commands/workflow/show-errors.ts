import { exitCode } from "../../../contract/exit-code.ts";
import { readErrors, type ErrorRecord } from "../../../orchestrator/workflow-errors.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderColumns } from "../../render/columns.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { readStore } from "../../../app/open-project.ts";

const MOST_EVENTS = 50_000;
const MOST_SHOWN = 100;

/** `errors`: read from the journal, grouped so that what happens again and again stands first (R100). */
export function showErrors(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const story = invocation.option("story");
    const question = { events: MOST_EVENTS, ...(story === undefined ? {} : { story }) };
    const all = reader === undefined ? [] : await readErrors(reader, question);
    const errors = all.filter(matcher(invocation));
    const groups = groupErrors(errors);
    return {
      exitCode: exitCode.completed,
      json: { errors: errors.map((error) => ({ ...error })), groups, count: errors.length },
      text: errors.length === 0 ? "Nothing went wrong." : render(errors, groups, invocation.flag("list")),
    };
  });
}

function matcher(invocation: Invocation): (error: ErrorRecord) => boolean {
  const task = invocation.option("task");
  const type = invocation.option("type");
  return (error) =>
    (task === undefined || String(error.task_number) === task) && (type === undefined || error.type === type);
}

interface ErrorGroup {
  readonly count: number;
  readonly type: string;
  readonly code: string;
  readonly subagent: string | null;
  readonly last: string;
  readonly story: string;
  readonly recommendation: string;
}

/** By code and agent, the most frequent first. */
function groupErrors(errors: readonly ErrorRecord[]): readonly ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const { type, code, subagent, at, story, recommendation } of errors) {
    const key = `${code} ${subagent ?? ""}`;
    const count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { count, type, code, subagent, last: at, story, recommendation });
  }
  return [...groups.values()].toSorted(
    (left, right) => right.count - left.count || (left.last < right.last ? 1 : -1),
  );
}

function render(errors: readonly ErrorRecord[], groups: readonly ErrorGroup[], isList: boolean): string {
  const rows = isList ? listRows(errors) : groupRows(groups);
  const shown = renderColumns(rows.map((row) => row.map(visibleText)));
  if (isList) return shown;
  const [first] = groups;
  return first === undefined ? shown : `${shown}\n\nMost often: ${visibleText(first.recommendation)}`;
}

function groupRows(groups: readonly ErrorGroup[]): readonly (readonly string[])[] {
  return [
    ["times", "type", "code", "agent", "last in", "last"],
    ...groups
      .slice(0, MOST_SHOWN)
      .map(({ count, type, code, subagent, story, last }) => [
        String(count),
        type,
        code,
        subagent ?? "-",
        story,
        last.slice(0, 16).replace("T", " "),
      ]),
  ];
}

const LONGEST = 60;

function listRows(errors: readonly ErrorRecord[]): readonly (readonly string[])[] {
  return [
    ["at", "task", "agent", "code", "what"],
    ...errors
      .slice(-MOST_SHOWN)
      .map(({ at, task_number: task, subagent, code, message }) => [
        at.slice(0, 16).replace("T", " "),
        String(task ?? "-"),
        subagent ?? "-",
        code,
        message.split("\n")[0]?.slice(0, LONGEST) ?? "",
      ]),
  ];
}
