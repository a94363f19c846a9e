import { runCommand } from "../../../base/run-command.ts";
import type { CommandContext } from "../../command-module.ts";

const TIMEOUT_MS = 60_000;

/** What a person would type next, and what they would see. */
export async function showCommands(
  context: CommandContext,
  story: string,
  completed: boolean,
): Promise<readonly string[]> {
  const commands = [
    ["tree", story],
    ["cost", story],
    ["verify", story],
    ...(completed ? [["merge", story, "--yes"]] : []),
    ["audit", "--verify"],
  ];
  const lines: string[] = [];
  for (const words of commands) {
    const output = await run(context, [process.execPath, process.argv[1] ?? "", ...words]);
    lines.push("", `$ ambit ${words.join(" ")}`, output.text.trimEnd());
  }
  return lines;
}

/** Runs the package's own tests in the person's checkout. */
export async function testsPass(context: CommandContext): Promise<boolean> {
  return (await run(context, [process.execPath, "test/all.mjs"])).exitCode === 0;
}

async function run(
  context: CommandContext,
  argv: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly text: string }> {
  const environment = Object.fromEntries(
    Object.entries(context.environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const { exitCode, stdout, stderr } = await runCommand({
    argv,
    cwd: context.directory,
    environment,
    timeoutMs: TIMEOUT_MS,
  });
  return { exitCode, text: stdout.toString("utf8") + stderr.toString("utf8") };
}
