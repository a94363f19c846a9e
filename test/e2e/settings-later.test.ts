import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";
import { runCli, type CliResult } from "./run-cli.ts";

/**
 * What a project sets while a supervisor runs that was started with other settings, by a command whose shell had other
 * limits, holds for the next story.
 */
let project: Project;
let pid: number;
beforeEach(async () => {
  project = makeProject();
  const shell = { ENABLE_DELEGATION: "false", MAX_DELEGATION_DEPTH: "0", DELEGATION_TIMEOUT_SECONDS: "5" };
  await ambitIn(shell, "run", "Nothing", "--id", "Z0", "--", "true");
  pid = await project.supervisorPid();
});
afterEach(async () => {
  const last = await project.supervisorPid();
  await project.remove();
  // It is the same supervisor, which had other settings before.
  expect(last).toBe(pid);
});

function ambitIn(shell: Readonly<Record<string, string>>, ...words: string[]): Promise<CliResult> {
  const environment = { AMBIT_IDLE_MS: "60000", TERM: "xterm", ...shell };
  return runCli(words, { directory: project.root, home: join(dirname(project.root), "home"), environment });
}

function scriptFile(name: string, text: string): string {
  project.write(join("..", `${name}.yaml`), text);
  return join(dirname(project.root), `${name}.yaml`);
}

function commitSettings(settings: string, agents: Readonly<Record<string, string>> = {}): void {
  project.write("ambit.yaml", settings);
  for (const [name, script] of Object.entries(agents)) {
    const command = `command: [${scriptFile(name, script)}]`;
    project.write(`.ambit/agents/${name}.md`, `---\nadapter: scripted\n${command}\n---\nWork.\n`);
  }
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "settings");
}

const prompt = (id: string, attempt: number): string =>
  readFileSync(join(project.root, ".git/ambit/logs", id, `attempt-${attempt}`, "prompt.md"), "utf8");

const done = "- return: {status: completed, summary: 'Did it. It works.'}\n";
const greeting = "- write: {path: greeting.txt, text: 'Good morning'}\n";

describe("a running supervisor starts to use", () => {
  it("a test command: work is proven by it, and without one it is not proven (R79)", async () => {
    const script = scriptFile("story", greeting + done);
    const open = await ambitIn({}, "run", "Greet", "--id", "A1", "--script", script);
    expect(open.stdout).toContain("not proven");
    commitSettings("verification:\n  test: test -f greeting.txt\n");
    const proven = await ambitIn({}, "run", "Greet", "--id", "A2", "--script", script);
    expect([proven.status, proven.stdout]).toEqual([0, expect.not.stringContaining("not proven")]);
    const red = await ambitIn({}, "run", "Greet", "--id", "A3", "--script", scriptFile("idle", done));
    expect([red.status, red.stdout]).toEqual([3, expect.stringContaining("partial")]);
  });

  it("a reviewer, whose verdict needs evidence (R79, R173)", async () => {
    const review = (quote: string): string =>
      `- return: {status: completed, summary: 'Looked at it. All of it.', review: [{criterion: c1, verdict: passed, reason: 'I read it.', evidence: [{file: greeting.txt, quote: '${quote}'}]}]}\n`;
    const story = ["--script", scriptFile("story", greeting + done), "--accept", "The greeting is friendly"];
    commitSettings("verification:\n  reviewer: critic\n", { critic: review("Good morning") });
    const judged = await ambitIn({}, "run", "Greet", "--id", "B1", ...story);
    expect([judged.status, judged.stderr]).toEqual([
      0,
      expect.stringContaining("Review the work of B1 (critic)"),
    ]);
    expect((await ambitIn({}, "explain", "B1")).stdout).toContain("critic: I read it.");
    commitSettings("verification:\n  reviewer: liar\n", { liar: review("Good night") });
    await ambitIn({}, "run", "Greet", "--id", "B2", ...story, "--detach");
    const asked = async (): Promise<string> => (await ambitIn({}, "inbox")).stdout;
    await expect.poll(asked, { timeout: 60_000 }).toContain("The greeting is friendly");
    await ambitIn({}, "stop", "B2", "--yes");
  });

  it("an agent that takes over at the deadline (R188)", async () => {
    commitSettings(
      "agents:\n  fallback: awake\ndelegation:\n  idle: {reassignLate: 1}\n  windDown: {graceSeconds: 0}\n",
      { chatty: "- write: {path: half.txt, text: half}\n- hang: talking\n", awake: done },
    );
    const tasks = JSON.stringify([{ description: "Talk", agent: "chatty", timeout_seconds: 8 }]);
    const run = JSON.stringify(["ambit", "delegate", "--tasks", tasks, "--wait", "0"]);
    const script = scriptFile("story", `begin:\n  - run: ${run}\nresults:\n  ${done}`);
    const ended = await ambitIn({}, "run", "Divide it", "--id", "K1", "--script", script);
    expect([ended.status, ended.stderr]).toEqual([
      0,
      expect.stringContaining("1 awake takes the place of chatty"),
    ]);
    const explained = (await ambitIn({}, "explain", "K1-DEL-001")).stdout;
    expect(explained).toContain("attempt 1: awake takes over: Its time ran out\n");
    expect(explained).not.toContain("you take its place");
    expect(prompt("K1-DEL-001", 2)).toContain("Its time ran out; you take its place.");
    expect(project.git("show", "ambit/K1:half.txt")).toBe("half");
  });

  it("a server whose tools agents may ask for (R7)", async () => {
    const server = `"${process.execPath}" "${resolve("test/orchestrator/mcp-tool-server.mjs")}"`;
    const said = "begin:\n  - say: '[use-mcp:library/look_up:Faust]'\nresults:\n  ";
    const script = scriptFile("story", said + done);
    await ambitIn({}, "run", "Look", "--id", "D1", "--script", script);
    expect(prompt("D1", 2)).toContain("library");
    expect(prompt("D1", 2)).not.toContain("shelf 7");
    commitSettings(`agents:\n  mcp:\n    library: ${JSON.stringify(server)}\n`);
    const looked = await ambitIn({}, "run", "Look", "--id", "D2", "--script", script);
    expect([looked.status, looked.stderr]).toEqual([0, expect.any(String)]);
    expect(prompt("D2", 2)).toContain('<data from="library/look_up">\nFaust is on shelf 7.');
  });
});
