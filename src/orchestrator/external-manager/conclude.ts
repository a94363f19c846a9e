import type { Delegation, Settlement } from "../../journal/store.ts";

const MAX_NAMED = 5;

/**
 * How an external manager's story ends: its workers' proofs alone decide. Each was proven and merged when it ended, so
 * the story is completed if all of them are; Ambit never judges what the manager did itself.
 */
export function settleByWorkers(workers: readonly Delegation[], said: string): Settlement {
  const filesChanged = [...new Set(workers.filter(isCompleted).flatMap((worker) => worker.filesChanged))];
  if (workers.length === 0)
    return { outcome: "cancelled", summary: joinSentences(said, "Nothing was delegated.") };
  const undone = workers.filter((worker) => !isCompleted(worker));
  const count = `${workers.length - undone.length} of ${workers.length} delegation(s) completed.`;
  if (undone.length === 0) return { outcome: "completed", summary: joinSentences(said, count), filesChanged };
  const named = undone.slice(0, MAX_NAMED).map(({ id, outcome, code }) => {
    const why = code === null ? "" : ` (${code})`;
    return `${id} ${outcome ?? "open"}${why}`;
  });
  const more = undone.length > MAX_NAMED ? `, and ${undone.length - MAX_NAMED} more` : "";
  const summary = joinSentences(said, `${count} Not completed: ${named.join(", ")}${more}.`);
  return { outcome: "partial", summary, filesChanged };
}

function isCompleted({ outcome }: Delegation): boolean {
  return outcome === "completed";
}

function joinSentences(said: string, counted: string): string {
  return said === "" ? counted : `${said} ${counted}`;
}
