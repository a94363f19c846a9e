import { basename, dirname } from "node:path";
import type { ProcessEntry } from "../process-table/process-entry.ts";
import { readSmallFile } from "../process-table/read-small-file.ts";

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"]);
/** The programs in this folder only refuse. */
const SHIM_FOLDER = "shims";
/** The program, or an interpreter and the file that it runs. */
const SEARCHED_WORDS = 2;

/**
 * The programs with one of these names that a shell below the tree's first program has started, each as it was called.
 * Programs that the first program starts itself, without a shell, belong to it.
 */
export function findNestedPrograms(
  own: readonly ProcessEntry[],
  names: ReadonlySet<string>,
): readonly string[] {
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
