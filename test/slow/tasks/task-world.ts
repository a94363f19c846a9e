import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/base/clock.ts";
import type { TaskChange } from "../../../src/tasks/task.ts";
import {
  type GitDates,
  openTaskStore,
  type TaskEffects,
  type TaskStore,
} from "../../../src/tasks/task-store.ts";

/** A repository with tasks in it and a journal beside it. */
export interface TaskWorld {
  readonly root: string;
  readonly git: (...words: readonly string[]) => string;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
}

export function makeWorld(): TaskWorld {
  const root = mkdtempSync(join(tmpdir(), "ambit-sequence-"));
  const world = worldAt(root);
  world.git("init", "-q", "-b", "main");
  world.git("config", "user.email", "person@example.invalid");
  world.git("config", "user.name", "Person");
  world.git("config", "gc.auto", "0");
  world.write(".gitignore", ".ambit/\n");
  world.git("add", ".gitignore");
  world.git("commit", "-qm", "Begin");
  return world;
}

export function worldAt(root: string): TaskWorld {
  return {
    root,
    git: (...words) =>
      execFileSync("git", words, {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env["PATH"] ?? "", HOME: root, GIT_CONFIG_NOSYSTEM: "1" },
      }),
    read: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : ""),
    write: (path, text) => writeFileSync(join(root, path), text),
  };
}

export function openStore(world: TaskWorld, effects?: TaskEffects): TaskStore {
  const stateDirectory = join(world.root, ".ambit");
  mkdirSync(stateDirectory, { recursive: true });
  return openTaskStore({
    projectRoot: world.root,
    dir: "specs",
    stateDirectory,
    clock: systemClock,
    gitDates: blame(world),
    journal: async (changes, id) => {
      // One line in one write: a kill leaves it whole or absent.
      if (!journalIds(world).has(id))
        appendFileSync(journalFile(world), `${JSON.stringify({ id, changes })}\n`);
      await Promise.resolve();
    },
    ...(effects === undefined ? {} : { effects }),
  });
}

export function readJournal(world: TaskWorld): readonly TaskChange[] {
  return journalLines(world).flatMap(({ changes }) => changes);
}

interface JournalLine {
  readonly id: string;
  readonly changes: readonly TaskChange[];
}

function journalFile({ root }: TaskWorld): string {
  return join(root, ".ambit/journal.jsonl");
}

function journalIds(world: TaskWorld): ReadonlySet<string> {
  return new Set(journalLines(world).map(({ id }) => id));
}

function journalLines(world: TaskWorld): readonly JournalLine[] {
  return world
    .read(".ambit/journal.jsonl")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): JournalLine => JSON.parse(line));
}

/** `git blame`, a line that is not committed left out. */
function blame(world: TaskWorld): GitDates {
  return async (path, lines) => {
    await Promise.resolve();
    const times = new Map<number, string>();
    let text = "";
    try {
      text = world.git("blame", "--line-porcelain", "--", path);
    } catch {
      // Not committed yet.
      return times;
    }
    let line = 0;
    let isCommitted = false;
    for (const row of text.split("\n")) {
      if (/^[0-9a-f]{40} /.test(row)) {
        line = Number(row.split(" ")[2]);
        isCommitted = !row.startsWith("0000000000");
      }
      if (row.startsWith("committer-time ") && isCommitted && lines.includes(line)) {
        times.set(line, new Date(Number(row.split(" ")[1]) * 1000).toISOString());
      }
    }
    return times;
  };
}
