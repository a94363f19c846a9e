import * as z from "zod";
import { isInProgress, taskStatuses } from "../contract/task-status.ts";
import { taskListErrors } from "../errors/work.ts";
import { parseMarker, type StoredTask } from "../tasks/task.ts";
import { describeTask, taskSchema } from "./tasks/describe-task.ts";
import { readTasks } from "./tasks/open-tasks.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    statuses: z.array(z.string()).optional().describe("Only these; in_progress means all of its steps"),
    languages: z.array(z.string()).optional().describe("Only these"),
    priorities: z.array(z.string()).optional().describe("Only these: high, medium, low"),
    archived: z.boolean().optional().describe("The archived tasks instead"),
  });

const output = () =>
  z.looseObject({
    tasks: z.array(taskSchema()),
    count: z.int(),
    total: z.int().describe("Without the filter"),
  });

/** The tasks of the project, by number. */
export const listTasksUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: async (context, { archived = false, ...filter }) => {
    const matches = readFilter(filter);
    const place = archived ? "archived" : "active";
    const all = (await readTasks(context)).list({ place, withTodo: true });
    const tasks = all.filter(matches).toSorted(compareNumbers);
    return { tasks: tasks.map(describeTask), count: tasks.length, total: all.length };
  },
});

type Matches = (task: StoredTask) => boolean;
type Filter = Omit<z.output<ReturnType<typeof input>>, "archived">;

function readFilter({ statuses = [], languages = [], priorities = [] }: Filter): Matches {
  const byStatus = statuses.map(matchStatus);
  const byLanguage = new Set(languages.map((word) => word.toLowerCase()));
  const byPriority = new Set(priorities.map(readPriority));
  return (task) =>
    (byStatus.length === 0 || byStatus.some((matches) => matches(task))) &&
    (byLanguage.size === 0 || byLanguage.has(task.language.toLowerCase())) &&
    (byPriority.size === 0 || byPriority.has(task.priority));
}

/** `in progress` means all of its steps (C20), `unknown` the words of other tools. */
function matchStatus(word: string): Matches {
  const name = word.toLowerCase().replaceAll(" ", "_");
  if (name === "in_progress") return ({ status }) => status !== "unknown" && isInProgress(status);
  if (name === "unknown") return ({ status }) => status === "unknown";
  const wanted = parseMarker(word);
  if (wanted === undefined) throw taskListErrors.unknownTaskStatus(word, taskStatuses);
  return ({ status }) => status === wanted;
}

function readPriority(word: string): string {
  const name = word.toLowerCase();
  if (!["high", "medium", "low"].includes(name)) throw taskListErrors.unknownPriority(word);
  return name;
}

/** Files list the newest first or last, as tools like it; ids that are not numbers come after all others. */
function compareNumbers(one: StoredTask, other: StoredTask): number {
  return (one.number ?? Number.MAX_SAFE_INTEGER) - (other.number ?? Number.MAX_SAFE_INTEGER);
}
