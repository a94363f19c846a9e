import { Command } from "commander";
import { expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { runInProcess } from "./run-in-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

it.each(await commandPaths())("ambit %s --help fits one screen and shows an example", async (path) => {
  const { stdout, exitCode } = await runInProcess([...path.split(" "), "--help"], {
    directory: temporaryFolder(),
  });
  const lines = stdout.trimEnd().split("\n");
  expect(exitCode).toBe(0);
  expect(lines[0]).toMatch(new RegExp(`^Usage: ambit ${path}\\b`));
  expect(stdout).toMatch(new RegExp(`\nExamples?:\n  .*\\bambit ${path}\\b`));
  expect(lines.length).toBeLessThanOrEqual(24);
  const prose = lines.filter((line) => !line.trimStart().startsWith("ambit "));
  expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(80);
  // A shell would run backticks inside double quotes.
  expect(stdout).not.toMatch(/"[^"'\n]*`[^"\n]*"/);
});

it.each([["--help"], ["run", "--help"], ["cluster", "--help"], []])(
  "ambit %s is folded between words on a terminal of 60 columns",
  async (...words) => {
    const { stdout } = await runInProcess(words, {
      directory: temporaryFolder(),
      environment: { COLUMNS: "60" },
    });
    const prose = stdout.split("\n").filter((line) => !/\bambit [a-z]/.test(line));
    expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(stdout).not.toMatch(/\n\.\n/);
  },
);

/** Every command and subcommand, so that a new one has to pass this test too. */
async function commandPaths(): Promise<string[]> {
  const paths: string[] = [];
  for (const { name, load } of commands) {
    const command = new Command(name);
    (await load()).register(command, () => async () => undefined);
    paths.push(name, ...command.commands.map((child) => `${name} ${child.name()}`));
  }
  return paths;
}
