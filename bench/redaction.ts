/**
 * What the search for credentials adds to appending an event, for a typical mix of events:
 * npm run bench -- redaction --rounds 30
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.ts";
import type { NewEvent } from "../src/contract/journal-event.ts";
import type { Database } from "../src/journal/sqlite/database.ts";
import { JournalWriter } from "../src/journal/sqlite/journal-writer.ts";
import { openForWriting } from "../src/journal/sqlite/open-database.ts";
import { interleave, median, printResults, ratio, type Result } from "./measure.ts";

const GOAL = 1.2;
const EVENTS_PER_ROUND = 1000;
const COMMITS_PER_ROUND = 50;

export async function redaction(options: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...options],
    options: { rounds: { type: "string", default: "30" } },
  });
  const folder = mkdtempSync(join(tmpdir(), "ambit-redaction-"));
  const database = openForWriting(join(folder, "ambit.db"));
  try {
    const bare = new JournalWriter(database, systemClock, (data) => data);
    const whole = new JournalWriter(database, systemClock);
    const times = await interleave(Number(values.rounds), {
      "bare commits": () => timeCommits(database, bare),
      "whole commits": () => timeCommits(database, whole),
      "bare steps": () => timeSteps(database, bare),
      "whole steps": () => timeSteps(database, whole),
    });
    return printResults("redaction", [
      describe(times, { what: "commits", events: COMMITS_PER_ROUND, goal: GOAL }),
      describe(times, { what: "steps", events: EVENTS_PER_ROUND }),
    ]);
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An append as a caller waits for it: on disk. */
function timeCommits(database: Database, writer: JournalWriter): number {
  const began = performance.now();
  for (let count = 0; count < COMMITS_PER_ROUND; count += 1) {
    database.execute("BEGIN IMMEDIATE");
    writer.restart();
    writer.append(pickEvent(count));
    database.execute("COMMIT");
  }
  return performance.now() - began;
}

/** Only the work of the processor: one transaction, undone afterwards. */
function timeSteps(database: Database, writer: JournalWriter): number {
  const began = performance.now();
  database.execute("BEGIN");
  writer.restart();
  for (let count = 0; count < EVENTS_PER_ROUND; count += 1) writer.append(pickEvent(count));
  database.execute("ROLLBACK");
  return performance.now() - began;
}

interface Row {
  readonly what: "commits" | "steps";
  readonly events: number;
  readonly goal?: number;
}

function describe(times: ReadonlyMap<string, readonly number[]>, { what, events, goal }: Row): Result {
  const bare = times.get(`bare ${what}`) ?? [];
  const whole = times.get(`whole ${what}`) ?? [];
  const factor = ratio(whole, bare);
  const perEvent = (list: readonly number[]): string => ((median(list) / events) * 1000).toFixed(1);
  return {
    what: what === "commits" ? "append, committed" : "append without its commit",
    value: `${perEvent(bare)} µs without, ${perEvent(whole)} µs with redaction, ${factor.toFixed(2)}×`,
    ...(goal === undefined ? {} : { goal: `≤ ${goal}×`, met: factor <= goal }),
  };
}

const about = { story: "S-1", delegation: null, attempt: 1 };
const usage: NewEvent = {
  type: "usage-reported",
  ...about,
  data: {
    inputTokens: 1200,
    cachedTokens: 300,
    outputTokens: 90,
    microUsd: 4500,
    source: "reported",
    model: "claude-sonnet-4-5",
  },
};
const note: NewEvent = {
  type: "note-added",
  ...about,
  data: { text: "isolation: worktree has no effect, because the project asks for a sandbox." },
};
const OUTPUT = Array.from(
  { length: 20 },
  (_, line) => ` ✓ test/orchestrator/pipeline-${line}.test.ts (12 tests) ${line + 31}ms`,
).join("\n");
const checked: NewEvent = {
  type: "criterion-checked",
  ...about,
  data: {
    criterionId: "C1",
    text: "All tests pass",
    verdict: "passed",
    evidence: `\`npm test\` exited with code 0.\nLast output:\n${OUTPUT}`,
    by: "ambit",
  },
};

/** Nine reports of use and notes for each check, as in a story with a test command. */
function pickEvent(count: number): NewEvent {
  if (count % 10 === 9) return checked;
  return count % 10 > 6 ? note : usage;
}
