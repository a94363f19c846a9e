import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../../src/base/clock.ts";
import { createExecutionId, createSessionId } from "../../../src/base/ids.ts";
import { openReader } from "../../../src/journal/open-reader.ts";
import { JournalWriter } from "../../../src/journal/sqlite/journal-writer.ts";
import { openForWriting } from "../../../src/journal/sqlite/open-database.ts";

/**
 * The planted fault: counts first and writes later, in another transaction, as a store without our rule would.
 * Everything it writes is well formed; only the moment of the check is wrong.
 */
export async function admitUnchecked(file: string, parent: string, description: string): Promise<void> {
  const reader = openReader(file);
  const manager = await reader?.delegation(parent);
  const story = manager === undefined ? undefined : await reader?.story(manager.story);
  await reader?.close();
  if (manager === undefined || story === undefined || manager.state !== "running") return;
  const { limits } = story;
  const room = Math.min(
    limits.maxDelegations - story.delegations,
    (limits.fanOut[manager.depth] ?? 0) - manager.workers,
  );
  if (room <= 0 || manager.depth >= limits.maxDepth) return;
  await delay(20);
  append(file, { ...manager, description });
}

interface Candidate {
  readonly id: string;
  readonly story: string;
  readonly depth: number;
  readonly attempt: number;
  readonly path: readonly string[];
  readonly description: string;
}

function append(file: string, manager: Candidate): void {
  const database = openForWriting(file);
  try {
    database.execute("BEGIN IMMEDIATE");
    const number = database.number("SELECT next_number AS value FROM delegations WHERE id = ?", [manager.id]);
    const id = `${manager.id}-DEL-${String(number).padStart(3, "0")}`;
    new JournalWriter(database, systemClock).append({
      type: "delegation-admitted",
      story: manager.story,
      delegation: id,
      attempt: 0,
      data: {
        description: manager.description,
        agent: null,
        targetId: null,
        estimatedHours: null,
        contextTokens: 0,
        priority: 0,
        timeoutSeconds: 60,
        scope: [],
        criteria: [],
        parent: manager.id,
        parentAttempt: manager.attempt,
        number,
        depth: manager.depth + 1,
        path: [...manager.path, id],
        sessionId: createSessionId(systemClock),
        executionId: createExecutionId(),
        checks: [],
        warnings: [],
        budgetTokens: null,
        budgetMicroUsd: 0,
      },
    });
    database.execute("COMMIT");
  } finally {
    database.close();
  }
}
