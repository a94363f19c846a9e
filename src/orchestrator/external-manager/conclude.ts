import type { Delegation, Settlement } from "../../journal/store.ts";

const MOST_NAMED = 5;

/**
 * How a manager from outside ends: nobody but its workers' proofs says so. Each of them was proven and merged when it
 * ended, so all completed is completed; what it never delegated was never ours.
 */
export function conclude(workers: readonly Delegation[], said: string): Settlement {
  const filesChanged = [...new Set(workers.filter(isDone).flatMap((worker) => worker.filesChanged))];
  if (workers.length === 0) return { outcome: "cancelled", summary: join(said, "Nothing was delegated.") };
  const undone = workers.filter((worker) => !isDone(worker));
  const count = `${workers.length - undone.length} of ${workers.length} delegation(s) completed.`;
  if (undone.length === 0) return { outcome: "completed", summary: join(said, count), filesChanged };
  const named = undone.slice(0, MOST_NAMED).map(({ id, outcome, code }) => {
    const why = code === null ? "" : ` (${code})`;
    return `${id} ${outcome ?? "open"}${why}`;
  });
  const more = undone.length > MOST_NAMED ? `, and ${undone.length - MOST_NAMED} more` : "";
  const summary = join(said, `${count} Not completed: ${named.join(", ")}${more}.`);
  return { outcome: "partial", summary, filesChanged };
}

function isDone({ outcome }: Delegation): boolean {
  return outcome === "completed";
}

function join(said: string, counted: string): string {
  return said === "" ? counted : `${said} ${counted}`;
}
