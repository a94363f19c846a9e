import { fstatSync } from "node:fs";
import type { Environment } from "./terminal.ts";

/** Columns there are for the answer; undefined when it goes to a file or pipe, where nothing should be cut. */
export function terminalWidth(environment: Environment): number | undefined {
  if (isTerminal()) return process.stdout.columns;
  const asked = Number(environment["COLUMNS"]);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}

const STDOUT = 1;

/** Asked of the descriptor first: setting up `process.stdout` is a noticeable part of a short command. */
function isTerminal(): boolean {
  try {
    return fstatSync(STDOUT).isCharacterDevice() && process.stdout.isTTY;
  } catch {
    // A descriptor that was never opened is not a terminal.
    return false;
  }
}
