import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReporterName } from "../../../src/cli/input/choose-reporter.ts";
import type { CommandContext } from "../../../src/cli/input/command-module.ts";
import { createReporter } from "../../../src/cli/reporters/create-reporter.ts";
import { silentReporter } from "../../../src/cli/reporters/reporter.ts";
import { TreeReporter } from "../../../src/cli/reporters/tree.ts";
import { busyStory, STORY } from "../../reports/story-tape.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ended, play } from "./recorder.ts";

interface Heard {
  readonly lines: string[];
  readonly warnings: string[];
  readonly context: CommandContext;
}

function listen(name: ReporterName, parts: Partial<CommandContext> = {}): Heard {
  const lines: string[] = [];
  const warnings: string[] = [];
  const context: CommandContext = {
    version: "1.0.0",
    directory: "/",
    json: false,
    reporter: () => Promise.resolve(name),
    color: () => false,
    ascii: true,
    quiet: false,
    verbose: false,
    input: () => false,
    yes: false,
    configFile: undefined,
    environment: {},
    homeDirectory: undefined,
    program: [],
    stdin: () => process.stdin,
    show: (text) => void lines.push(text),
    progress: (text) => void lines.push(text),
    warn: (text) => void warnings.push(text),
    ...parts,
  };
  return { lines, warnings, context };
}

describe("createReporter", () => {
  it.each([
    ["tree", false],
    ["plain", false],
    ["github", false],
    ["agent", true],
    ["json", true],
  ] as const)("creates %s, which writes the answer itself: %s", async (name, answers) => {
    const reporter = await createReporter(listen(name).context, STORY);
    expect(reporter.answers).toBe(answers);
    reporter.close();
  });

  it("creates a tree that can have a hint", async () => {
    const reporter = await createReporter(listen("tree").context, STORY, { hint: "Ctrl-C detaches" });
    expect(reporter).toBeInstanceOf(TreeReporter);
    reporter.close();
  });

  it("creates a reporter of plain lines for --json, and leaves the document to the command", async () => {
    const { context, lines } = listen("json", { json: true });
    const reporter = await createReporter(context, STORY);
    play(reporter, busyStory());
    expect(reporter.answers).toBe(false);
    expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d US-1 running -> waiting$/);
  });

  it("draws nothing in quiet mode", async () => {
    expect(await createReporter(listen("tree", { quiet: true }).context, STORY)).toBe(silentReporter);
  });

  it("appends to the job's summary if there is one, and only warns if it cannot", async () => {
    const file = join(temporaryFolder(), "summary.md");
    writeFileSync(file, "# Before\n");
    const { context } = listen("github", { environment: { GITHUB_STEP_SUMMARY: file } });
    const reporter = await createReporter(context, STORY);
    play(reporter, busyStory());
    reporter.end(ended);
    expect(readFileSync(file, "utf8")).toMatch(/^# Before\n## Add OAuth login\n/);
    const broken = listen("github", { environment: { GITHUB_STEP_SUMMARY: "/nowhere/at/all.md" } });
    (await createReporter(broken.context, STORY)).end(ended);
    expect(broken.warnings[0]).toContain("The job summary could not be written");
    const without = listen("github", { environment: { GITHUB_STEP_SUMMARY: "" } });
    (await createReporter(without.context, STORY)).end(ended);
    expect(without.warnings).toStrictEqual([]);
  });
});

it("the silent reporter accepts every call and gives no answer", () => {
  play(silentReporter, busyStory());
  silentReporter.output(STORY, "x");
  silentReporter.note("x");
  silentReporter.end(ended);
  silentReporter.close();
  expect(silentReporter.answers).toBe(false);
});
