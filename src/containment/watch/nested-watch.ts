import { basename, dirname } from "node:path";
import type { ProcessTable, ProcessEntry } from "../process-table/process-entry.ts";
import { readProcessTableGently } from "../process-table/process-table.ts";
import type { ProcessTree } from "../processes/process-tree.ts";
import { readSmallFile } from "../process-table/read-small-file.ts";

/** No agent is done earlier than this, and short workers cost nothing. */
const FIRST_LOOK_MS = 1000;
const LOOK_EVERY_MS = 2000;

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"]);

/** The programs in this folder only refuse. */
const SHIM_FOLDER = "shims";

/** The program, or an interpreter and the file that it runs. */
const SEARCHED_WORDS = 2;

/** Checks now and then for programs that a tree should not start. */
export class NestedWatch {
  readonly #names: ReadonlySet<string>;
  readonly #told = new Set<string>();
  #nextMs = FIRST_LOOK_MS;
  #isLooking = false;

  constructor(names: readonly string[]) {
    this.#names = new Set(names);
  }

  /** Returns the programs that an earlier check did not find. */
  async findNew(tree: ProcessTree, ageMs: number): Promise<readonly string[]> {
    if (this.#names.size === 0 || ageMs < this.#nextMs || this.#isLooking) return [];
    this.#isLooking = true;
    this.#nextMs = ageMs + LOOK_EVERY_MS;
    try {
      const { own } = tree.processes(await readRecentTable());
      const found = new Set(findNestedPrograms(own, this.#names));
      const fresh = [...found].filter((command) => !this.#told.has(command));
      for (const command of fresh) this.#told.add(command);
      return fresh;
    } finally {
      this.#isLooking = false;
    }
  }
}

const MAX_AGE_MS = 1000;
let recent: { readonly readMs: number; readonly table: Promise<ProcessTable> } | undefined;

/**
 * One reading of all processes serves every tree for a while, so that hundreds of workers do not read it hundreds of
 * times.
 */
function readRecentTable(): Promise<ProcessTable> {
  const nowMs = performance.now();
  if (recent === undefined || nowMs - recent.readMs > MAX_AGE_MS)
    recent = { readMs: nowMs, table: readProcessTableGently() };
  return recent.table;
}

/**
 * The programs with one of these names that a shell below the tree's first program has started, each as it was called.
 * Programs that the first program starts itself, without a shell, belong to it.
 */
function findNestedPrograms(own: readonly ProcessEntry[], names: ReadonlySet<string>): readonly string[] {
  const entries = new Map(own.map((entry) => [entry.pid, entry]));
  return own.flatMap((entry) => {
    const called = readCommand(entry.pid)
      .slice(0, SEARCHED_WORDS)
      .find((word) => isNamed(word, names));
    return called !== undefined && hasShellAbove(entry, entries) ? [called] : [];
  });
}

function isNamed(word: string, names: ReadonlySet<string>): boolean {
  return names.has(basename(word)) && basename(dirname(word)) !== SHIM_FOLDER;
}

/** A shell that is itself the first program does not count: the user starts the agent through it. */
function hasShellAbove({ parent }: ProcessEntry, entries: ReadonlyMap<number, ProcessEntry>): boolean {
  const visited = new Set<number>();
  for (let at = entries.get(parent); at !== undefined && !visited.has(at.pid); at = entries.get(at.parent)) {
    visited.add(at.pid);
    const [program = ""] = readCommand(at.pid);
    if (entries.has(at.parent) && SHELLS.has(basename(program).replace(/^-/, ""))) return true;
  }
  return false;
}

function readCommand(pid: number): readonly string[] {
  try {
    return readSmallFile(`/proc/${pid}/cmdline`).split("\0");
  } catch {
    // The process has ended, or the system has no /proc; then nothing is known about it.
    return [];
  }
}
