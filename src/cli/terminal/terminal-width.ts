import { isTerminal } from "./is-terminal.ts";
import type { Environment } from "./terminal.ts";

/** Columns there are for the answer; undefined when it goes to a file or pipe, where nothing should be cut. */
export function terminalWidth(environment: Environment): number | undefined {
  if (isTerminal(STDOUT)) return process.stdout.columns;
  const asked = Number(environment["COLUMNS"]);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}

const STDOUT = 1;
