import type { Environment } from "../environment.ts";

/** Columns there are for the answer; undefined when it goes to a file or pipe, where nothing should be cut. */
export function terminalWidth(environment: Environment): number | undefined {
  if (process.stdout.isTTY) return process.stdout.columns;
  const asked = Number(environment["COLUMNS"]);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}
