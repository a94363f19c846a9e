import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  Action,
  ActionResult,
  Board,
  DelegationDetail,
  Diff,
  Inbox,
  StoryDocument,
  StoryList,
  StorySummary,
} from "../../src/app/view-types.ts";
import { sendTo, signInTo } from "../dashboard/ask-dashboard.ts";
import { makeProject, until, type Project } from "./project.ts";

let project: Project;
let pages: ChildProcess[] = [];
beforeEach(() => {
  project = makeProject();
});
afterEach(async () => {
  for (const page of pages) page.kill("SIGKILL");
  pages = [];
  await project.remove();
});

interface Page {
  readonly process: ChildProcess;
  readonly url: string;
  read<Document>(path: string): Promise<Document>;
  act(action: Action): Promise<{ readonly status: number; readonly result: ActionResult }>;
}

/** `ambit dashboard` as a person starts it, and a browser that has opened its link. */
async function openPage(): Promise<Page> {
  const child = project.start("pipe", "dashboard", "--no-open", "--json");
  pages.push(child);
  const output = child.stdout;
  if (output === null) throw new TypeError("no output");
  const [line] = await once(createInterface({ input: output }), "line");
  const { url, origin, port } = JSON.parse(String(line));
  const cookie = await signInTo({ port, origin, token: new URL(url).hash.slice("#token=".length) });
  return {
    process: child,
    url,
    read: async (path) => JSON.parse((await sendTo(port, path, { headers: { cookie } })).body),
    act: async (action) => {
      const headers = { cookie, origin, "content-type": "application/json" };
      const body = JSON.stringify(action);
      const answer = await sendTo(port, "/api/actions", { method: "POST", headers, body });
      return { status: answer.status, result: JSON.parse(answer.body) };
    },
  };
}

async function closePage({ process: child }: Page): Promise<number | null> {
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  return code;
}

function agent(name: string, script: string): void {
  const command = scriptFile(name, script);
  project.write(`.ambit/agents/${name}.md`, `---\nadapter: scripted\ncommand: [${command}]\n---\nWork.\n`);
}

function scriptFile(name: string, script: string): string {
  project.write(join("..", `${name}.yaml`), script);
  return join(dirname(project.root), `${name}.yaml`);
}

async function runOf(page: Page, id: string): Promise<StorySummary | undefined> {
  const { runs } = await page.read<StoryList>("/api/runs");
  return runs.find((run) => run.id === id);
}

const done = (summary: string): string => `- return: {status: completed, summary: '${summary} It works.'}\n`;
const writes = (path: string): string => `- write: {path: ${path}, text: "${path}\\n"}\n`;

describe("the dashboard (R182)", () => {
  it("answers pending requests, and shows the story's state, diff and criteria (R85)", async () => {
    agent(
      "asker",
      `begin:\n  - run: [ambit, ask, "uuid or bigint?", --wait, "0"]\nanswer:\n  ${writes("ids.txt")}  ${done("Used it.")}`,
    );
    agent("locker", `${writes("package-lock.json")}${done("Locked.")}`);
    const manager = [
      "begin:",
      '  - run: [ambit, delegate, "Choose ids", --agent, asker, --wait, "0"]',
      '  - run: [ambit, delegate, "Lock versions", --agent, locker, --wait, "0"]',
      "results:",
      `  ${done("Both are done.")}`,
    ];
    const page = await openPage();
    expect(await page.read("/api/runs")).toEqual({ seq: 0, runs: [], hasMore: false });
    await project.ambit(
      "run",
      "Manage",
      "--id",
      "S1",
      "--script",
      scriptFile("m", manager.join("\n")),
      "--detach",
    );
    const inbox = (): Promise<Inbox> => page.read<Inbox>("/api/inbox");
    await until("both questions wait", async () => (await inbox()).entries.length === 2);
    const { entries } = await inbox();
    expect((await runOf(page, "S1"))?.group).toBe("needsYou");
    const [words, lock] = ["clarification", "sensitive-paths"].map((kind) =>
      entries.find((one) => one.kind === kind),
    );
    const wrong = await page.act({ kind: "reject", approval: "S1-none-1", reason: "no" });
    expect([wrong.status, wrong.result]).toMatchObject([404, { error: { code: "APPROVAL_NOT_FOUND" } }]);
    expect(await page.act({ kind: "reply", approval: words?.id ?? "", text: "use uuid" })).toMatchObject({
      status: 200,
    });
    expect(await page.act({ kind: "approve", approval: lock?.id ?? "" })).toMatchObject({ status: 200 });
    await until("it ended", async () => (await runOf(page, "S1"))?.group === "done");
    const { nodes } = await page.read<StoryDocument>("/api/runs/S1");
    expect(nodes.map(({ label, state, percent }) => [label, state, percent])).toEqual([
      ["", "completed", 100],
      ["1", "completed", 100],
      ["2", "completed", 100],
    ]);
    expect((await page.read<Diff>("/api/delegations/S1-DEL-001/diff")).patch).toContain("+ids.txt");
    expect((await page.read<Diff>("/api/delegations/S1/diff")).files).toHaveLength(2);
    const detail = await page.read<DelegationDetail>("/api/delegations/S1-DEL-001");
    expect(detail).toMatchObject({ handBack: { status: "valid" }, can: ["retry"] });
    expect(detail.handBack.raw).toContain('"status"');
    expect(await closePage(page)).toBe(0);
  });

  it("sends a worker a message, stops it, and resumes it", async () => {
    const script = scriptFile("sleeper", `- run: [sleep, "600"]\n${done("Slept.")}`);
    const page = await openPage();
    await project.ambit("run", "Sleep", "--id", "S2", "--script", script, "--detach");
    await until("it runs", async () => (await runOf(page, "S2"))?.state === "running");
    const told = await page.act({ kind: "message", id: "S2", text: "use tabs", path: "a.txt", line: 1 });
    expect(told.status).toBe(200);
    const { messages } = await page.read<DelegationDetail>("/api/delegations/S2");
    expect(messages).toMatchObject([{ from: "person", to: "S2", text: "About a.txt:1: use tabs" }]);
    expect(await page.act({ kind: "stop", id: "S2" })).toMatchObject({ status: 200 });
    await until("it stopped", async () => (await runOf(page, "S2"))?.state === "cancelled");
    const again = await page.act({ kind: "retry", id: "S2", note: "faster" });
    expect(again.result).toMatchObject({ kind: "retry", run: "S2.2" });
    await until("it runs again", async () => (await runOf(page, "S2.2"))?.state === "running");
    await page.act({ kind: "stop", id: "S2.2" });
    await until("it stopped", async () => (await runOf(page, "S2.2"))?.state === "cancelled");
    expect(await closePage(page)).toBe(0);
  });

  it("shows tasks with their dependencies, and moves a task as the command does, after hand edits were confirmed", async () => {
    await project.ambit("task", "add", "Write the parser");
    await project.ambit("task", "add", "Test the parser", "--depends", "1");
    const page = await openPage();
    const board = await page.read<Board>("/api/tasks");
    expect(board).toMatchObject({
      problem: null,
      differences: [],
      tasks: [
        { number: 1, title: "Write the parser", status: "not_started", dependencies: [] },
        { number: 2, dependencies: [{ id: "1", isDone: false }] },
      ],
    });
    const start = { kind: "task-status", task: "1", status: "implementing" } as const;
    expect(await page.act(start)).toMatchObject({ status: 200, result: { kind: "task-status" } });
    const no = await page.act({ kind: "task-status", task: "2", status: "completed" });
    expect([no.status, no.result]).toMatchObject([409, { error: { code: "ILLEGAL_TRANSITION" } }]);
    const todo = join(project.root, "specs", "TODO.md");
    writeFileSync(todo, readFileSync(todo, "utf8").replace("[NOT STARTED]", "[RESEARCHING]"));
    expect((await page.read<Board>("/api/tasks")).differences).toHaveLength(1);
    const end = { kind: "task-status", task: "1", status: "completed" } as const;
    expect((await page.act(end)).result).toMatchObject({ error: { code: "TASKS_DIFFER" } });
    expect(await page.act({ ...end, confirmed: true })).toMatchObject({ status: 200 });
    const { tasks } = await page.read<Board>("/api/tasks");
    expect(tasks.map(({ status }) => status)).toEqual(["completed", "researching"]);
    expect(await closePage(page)).toBe(0);
  });

  it("is served while a story is followed, and ends with it", async () => {
    const script = scriptFile("short", `- run: [sleep, "600"]\n${done("Done.")}`);
    const child = project.start("pipe", "run", "Short", "--id", "S3", "--script", script, "--dashboard");
    pages.push(child);
    const errors = child.stderr;
    if (errors === null) throw new TypeError("no output");
    const [line] = await once(createInterface({ input: errors }), "line");
    const { origin, port, hash } = new URL(String(line).replace("dashboard", "").trim());
    const token = hash.slice("#token=".length);
    const cookie = await signInTo({ port: Number(port), origin, token });
    const look = () => sendTo(Number(port), "/api/runs", { headers: { cookie } });
    await until("it runs", async () => (await look()).body.includes('"state":"running"'));
    child.kill("SIGINT");
    await once(child, "exit");
    await expect(look()).rejects.toThrow("ECONNREFUSED");
    expect((await project.ambit("run", "X", "--dashboard", "--detach", "--", "true")).status).toBe(2);
  });

  it.each([
    [["--host", "0.0.0.0", "--expose"], "every address at once"],
    [["--host", "192.0.2.1"], "--expose"],
    [["--port", "70000"], "65535"],
  ])("refuses %j", async (words, part) => {
    const refused = await project.ambit("dashboard", "--no-open", ...words);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining(part) });
  });
});
