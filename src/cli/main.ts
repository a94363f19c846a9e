#!/usr/bin/env node
import { writeSync } from "node:fs";

/** Put in by the build. */
declare const AMBIT_VERSION: string;

const argv = process.argv.slice(2);
// Built as CommonJS, which starts faster than a module and knows no await at this level.
if (!printedVersion(argv)) void runWords(argv);

/** More programs live in the same file as the commands, so that one install brings everything. */
async function runWords(words: readonly string[]): Promise<void> {
  const [program, argument = ""] = words;
  if (program === "__supervisor") {
    const { superviseProject } = await import("./supervisor-process.ts");
    process.exit(await superviseProject(argument, AMBIT_VERSION));
  }
  if (program === "__worker") {
    const { runScriptedWorker } = await import("../agents/scripted-worker.ts");
    process.exit(await runScriptedWorker(argument, process.env));
  }
  if (program === "__acp") {
    const { runAcpClient } = await import("../agents/acp-client.ts");
    process.exit(await runAcpClient(argument, process.env));
  }
  if (program === "__handout") {
    const { handOutParts } = await import("./hand-out-parts.ts");
    process.exit(await handOutParts(argument, process.env));
  }
  if (program === "task") {
    const { answeredQuickly } = await import("./quick-tasks.ts");
    if (await answeredQuickly({ words: words.slice(1), version: AMBIT_VERSION })) return;
  }
  if (program === "__complete") {
    const { completeWords } = await import("./complete-words.ts");
    const line = { words: words.slice(1), directory: process.cwd(), environment: process.env };
    writeSync(1, `${await completeWords(line)}\n`);
    return;
  }
  const { runProgram } = await import("./program.ts");
  await runProgram({ argv: words, version: AMBIT_VERSION });
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
