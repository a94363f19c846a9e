import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { TaskChange } from "../../src/tasks/task.ts";
import { findDisagreements } from "./compare-records.ts";
import { openTaskStore, type TaskStore, type TaskStoreOptions } from "../../src/tasks/task-store.ts";

/** A project with tasks in a folder of its own, and a journal that can be compared with the files. */
export interface TaskProject {
  readonly root: string;
  readonly journal: Map<string, readonly TaskChange[]>;
  readonly store: TaskStore;
  readonly open: (options?: Partial<TaskStoreOptions>) => TaskStore;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  readonly has: (path: string) => boolean;
  readonly edit: (path: string, from: string, to: string) => void;
  /** Where state.json, TODO.md and the journal contradict each other. */
  readonly disagreements: () => readonly string[];
}

/** 2026-01-07T10:00:00Z */
const START_MS = Date.UTC(2026, 0, 7, 10);

export function makeProject(files: Readonly<Record<string, string>> = {}): TaskProject {
  const root = mkdtempSync(join(tmpdir(), "ambit-tasks-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return projectAt(root, files);
}

export function projectAt(root: string, files: Readonly<Record<string, string>> = {}): TaskProject {
  const journal = new Map<string, readonly TaskChange[]>();
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const open = (options: Partial<TaskStoreOptions> = {}): TaskStore =>
    openTaskStore({
      projectRoot: root,
      dir: "specs",
      stateDirectory: join(root, ".ambit"),
      clock: { wallMs: () => START_MS, monotonicMs: () => performance.now() },
      journal: async (changes, id) => {
        if (!journal.has(id)) journal.set(id, changes);
        await Promise.resolve();
      },
      ...options,
    });
  return {
    root,
    journal,
    store: open(),
    open,
    read,
    write,
    has: (path) => existsSync(join(root, path)),
    edit: (path, from, to) => {
      const text = read(path);
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
      write(
        path,
        text.replace(from, () => to),
      );
    },
    disagreements: () => findDisagreements(root, [...journal.values()].flat()),
  };
}
