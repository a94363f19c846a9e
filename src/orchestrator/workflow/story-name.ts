import type { StoreReader } from "../../journal/store.ts";

/** The prefix of the ids of all stories about a task. */
export function storyPrefix(task: string | null): string {
  return task === null ? "W-" : `T${task.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, MAX_TASK_LENGTH)}-`;
}

const MAX_TASK_LENGTH = 40;
const MAX_RUNS = 1000;

/** The runs of a command about a task, oldest first: `T191-implement-1`, `T191-implement-2`. */
export async function listEarlierRuns(
  reader: Pick<StoreReader, "storyIds">,
  task: string | null,
  command: string,
): Promise<readonly string[]> {
  const prefix = `${storyPrefix(task)}${command}-`;
  const ids = await reader.storyIds({ prefix, limit: MAX_RUNS });
  return ids
    .filter((id) => /^\d{1,6}$/.test(id.slice(prefix.length)))
    .toSorted((left, right) => readRunNumber(left) - readRunNumber(right));
}

/** The id of the next run. */
export function nameNextRun(task: string | null, command: string, earlier: readonly string[]): string {
  return `${storyPrefix(task)}${command}-${readRunNumber(earlier.at(-1) ?? "-0") + 1}`;
}

function readRunNumber(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1));
}
