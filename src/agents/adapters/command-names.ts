import { basename } from "node:path";

/** A package runner and its options come before the package. */
const SEARCHED_WORDS = 4;

/** The names of the program that a command starts, without paths, scopes and versions. */
export function readCommandNames(command: readonly string[]): ReadonlySet<string> {
  return new Set(command.slice(0, SEARCHED_WORDS).map(readPlainName));
}

/** `@scope/agent@0.61.0` and `/usr/bin/agent` are both `agent`. */
function readPlainName(word: string): string {
  const last = basename(word);
  const version = last.indexOf("@", 1);
  return version < 0 ? last : last.slice(0, version);
}
