import { isTerminal } from "./is-terminal.ts";
import type { Environment } from "./terminal.ts";

/** Columns there are for the answer; undefined when it goes to a file or pipe, where nothing should be cut. */
export function terminalWidth(environment: Environment): number | undefined {
  const { columns } = isTerminal(STDOUT) ? process.stdout : { columns: Number(environment["COLUMNS"]) };
  // A terminal that nothing has told its size, such as a serial line, says that it has no columns.
  return Number.isSafeInteger(columns) && columns > 0 ? columns : undefined;
}

const STDOUT = 1;
