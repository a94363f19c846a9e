#!/usr/bin/env node
import { writeSync } from "node:fs";

/** Put in by the build. */
declare const AMBIT_VERSION: string;

const argv = process.argv.slice(2);
if (!printedVersion(argv)) {
  const { runProgram } = await import("./program.ts");
  await runProgram({ argv, version: AMBIT_VERSION });
}

/** Asked for most often by scripts and editors, so it loads nothing; any trouble is left to the program. */
function printedVersion(words: readonly string[]): boolean {
  if (words.length !== 1 || !["--version", "-V", "version"].includes(words[0] ?? "")) return false;
  try {
    writeSync(1, `${AMBIT_VERSION}\n`);
    return true;
  } catch {
    // A full, closed or non-blocking stdout is explained by the program's own writer.
    return false;
  }
}
