#!/usr/bin/env node
import { writeSync } from "node:fs";

/** Put in by the build. */
declare const AMBIT_VERSION: string;

/** As `contract/exit-code.ts` has it; that file is not loaded for it. */
const ENVIRONMENT_EXIT = 6;

const argv = process.argv.slice(2);
// Built as CommonJS, which starts faster than a module and knows no await at this level.
if (isNodeTooOld()) {
  writeSync(2, `✖ NODE_TOO_OLD  Ambit needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  writeSync(2, "  next  Install it from https://nodejs.org, or choose it with your version manager.\n");
  process.exitCode = ENVIRONMENT_EXIT;
} else if (!printedVersion(argv)) void runWords(argv);

async function runWords(words: readonly string[]): Promise<void> {
  const [name = "", argument = ""] = words;
  if (name === "__complete") {
    const { completeWords } = await import("./complete-words.ts");
    const line = { words: words.slice(1), directory: process.cwd(), environment: process.env };
    writeSync(1, `${await completeWords(line)}\n`);
    return;
  }
  if (name.startsWith("__") && (await runInternalProgram(name, argument))) return;
  const quick = await loadQuick(name);
  if (quick !== undefined && (await quick.answeredQuickly({ words, version: AMBIT_VERSION }))) return;
  const { runProgram } = await import("./program.ts");
  await runProgram({ argv: words, version: AMBIT_VERSION });
}

/** Frequent questions of people and scripts have a program of their own, which starts faster than the whole. */
function loadQuick(name: string) {
  if (name === "status") return import("./quick/quick-status.ts");
  if (name === "list") return import("./quick/quick-list.ts");
  return name === "task" ? import("./quick/quick-tasks.ts") : undefined;
}

/** Never returns for a program of Ambit's own, which ends this process; false for any other word. */
async function runInternalProgram(name: string, argument: string): Promise<boolean> {
  const { internalPrograms } = await import("../app/internal-programs.ts");
  const run = internalPrograms.get(name);
  if (run === undefined) return false;
  const program = [process.execPath, process.argv[1] ?? ""];
  process.exit(await run({ argument, version: AMBIT_VERSION, environment: process.env, program }));
}

/** Looked at first: an older one fails later, in the middle of something, with words that lead nowhere. */
function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19);
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
