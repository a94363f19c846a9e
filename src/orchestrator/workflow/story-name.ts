import type { StoreReader } from "../../journal/store.ts";

/** What the ids of all stories about a task begin with. */
export function storyPrefix(task: string | null): string {
  return task === null ? "W-" : `T${task.replaceAll(/[^A-Za-z0-9_.-]/g, "_").slice(0, LONGEST_TASK)}-`;
}

const LONGEST_TASK = 40;
const MOST_RUNS = 1000;

/** The runs of a command about a task, oldest first: `T191-implement-1`, `T191-implement-2`. */
export async function earlierRuns(
  reader: Pick<StoreReader, "storyIds">,
  task: string | null,
  command: string,
): Promise<readonly string[]> {
  const prefix = `${storyPrefix(task)}${command}-`;
  const ids = await reader.storyIds({ prefix, limit: MOST_RUNS });
  return ids
    .filter((id) => /^\d{1,6}$/.test(id.slice(prefix.length)))
    .toSorted((left, right) => numberOf(left) - numberOf(right));
}

/** The id of the run that follows those. */
export function nextRun(task: string | null, command: string, earlier: readonly string[]): string {
  return `${storyPrefix(task)}${command}-${numberOf(earlier.at(-1) ?? "-0") + 1}`;
}

function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("-") + 1));
}
