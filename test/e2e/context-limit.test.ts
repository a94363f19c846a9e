import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fakeClaude, said } from "../orchestrator/fake-claude.ts";
import { makeProject, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

/** The supervisor outlives the pause between two commands, so that all of them share it. */
function ambitIn(shell: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> {
  const environment = { AMBIT_IDLE_MS: "30000", TERM: "xterm", ...shell };
  return runCli(words, { directory: project.root, home: join(dirname(project.root), "home"), environment });
}

/** Its result lists so many files that it does not fit into 2,000 tokens. */
const wordy = [
  "part=$(mktemp -d part-XXXXXX); for i in $(seq 1 300); do : > $part/a-file-with-a-rather-long-name-$i; done",
  `printf '{"status":"completed","summary":"Wrote it.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`,
].join("; ");

/** A manager with a session, whose one request held this many tokens when it handed out four parts. */
function addManager(name: string, tokens: number): void {
  const parts = [1, 2, 3, 4].map((number) => `[delegate:Part ${number}:3]`).join(" ");
  const { message, ...rest } = said.text("I divide it.");
  const spoken = { ...rest, message: { ...message, usage: { input_tokens: tokens, output_tokens: 10 } } };
  const command = fakeClaude(project, name, [
    { prints: [said.init, spoken, said.result(parts)] },
    { prints: [said.init, said.result("")], returns: "Divided it. All parts are there." },
  ]);
  project.write(
    `.ambit/agents/${name}.md`,
    `---\nadapter: claude\ncommand: ${JSON.stringify(command)}\n---\n`,
  );
}

interface Resumed {
  readonly prompt: string;
  /** How long each result is, in thousands of tokens. */
  readonly results: readonly number[];
  readonly continuesSession: boolean;
}

async function runManager(id: string, agent: string): Promise<Resumed> {
  const run = await ambitIn({}, "run", "Divide it", "--id", id, "--agent", agent);
  expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
  const prompt = readFileSync(join(project.root, ".git/ambit/logs", id, "attempt-2/prompt.md"), "utf8");
  const blocks = prompt.match(/<data from="[A-Z0-9]+-DEL-\d+">[^]*?<\/data>/g) ?? [];
  const runs = readFileSync(join(dirname(project.root), "fake-claude", agent, "runs"), "utf8").split("\n");
  return {
    prompt,
    results: blocks.map((block) => Math.round(block.length / 4000)),
    continuesSession: runs[1]?.includes("session-1") === true,
  };
}

it("results that do not fit into a manager's 100,000 tokens are shortened, pruned, or start a new session (R86, R90)", async () => {
  const sizes = { first: 50_000, tight: 94_000, narrow: 96_500, full: 98_500 };
  for (const [name, tokens] of Object.entries(sizes)) addManager(name, tokens);
  project.write(
    ".ambit/agents/wordy.md",
    `---\nadapter: command\ncommand: [sh, -c, ${JSON.stringify(wordy)}]\n---\nWrite.\n`,
  );
  project.write("ambit.yaml", "agents:\n  default: wordy\n");
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agents");
  // The supervisor's own shell has another limit, which applies to no later story.
  const first = await ambitIn({ MAX_CONTEXT_PER_AGENT: "5000" }, "run", "Divide it", "--agent", "first");
  expect(first.stdout + first.stderr).toContain("CONTEXT_BUDGET_EXCEEDED");
  const pid = await project.supervisorPid();
  expect(await runManager("W1", "tight")).toMatchObject({ results: [1, 1, 1, 1], continuesSession: true });
  expect(await runManager("W2", "narrow")).toMatchObject({
    results: [0, 1, 1, 1],
    continuesSession: true,
  });
  const renewed = await runManager("W3", "full");
  expect(renewed).toMatchObject({ results: [2, 2, 2, 2], continuesSession: false });
  expect(renewed.prompt).toContain("You continue another session, in its folder.");
  const events = (await ambitIn({}, "logs", "W3", "--events")).stdout;
  expect(events).toContain("The context held 98,500 tokens");
  expect(await project.supervisorPid()).toBe(pid);
});
