import { readFileSync } from "node:fs";

export interface TestCommand {
  readonly command: string;
  /** Where it was seen. */
  readonly because: string;
}

/** The text of a file; empty if it is not there or not readable. */
export function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
