import { execFileSync, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getStateDirectory } from "../../src/project/state-directory.ts";
import { ownStoreFile } from "../own-store-file.ts";
import { ScreenTerminal } from "../cli/interactive/screen-terminal.ts";
import { makeBigStore } from "../dashboard/big-store.ts";
import { makeProject, until, type Project } from "./project.ts";

const DOWN = "\u001B[B";
const END = "\u001B[F";
const PAGE_DOWN = "\u001B[6~";
const CONTROL_C = "\u0003";

/** A program on a terminal of its own, and the person in front of it. */
class Person {
  readonly child: ChildProcess;
  readonly terminal: ScreenTerminal;
  readonly exit: Promise<number | null>;
  written = "";

  constructor(project: Project, size: { columns: number; rows: number }, ...words: string[]) {
    this.terminal = new ScreenTerminal(size.columns, size.rows);
    this.child = project.start(size, ...words);
    this.child.stdout?.on("data", (bytes: Buffer) => {
      const text = bytes.toString("utf8");
      this.written += text;
      this.terminal.write(text);
    });
    this.exit = new Promise((resolve) => this.child.once("close", resolve));
  }

  press(keys: string): void {
    this.child.stdin?.write(keys);
  }

  sees(text: string | RegExp): Promise<void> {
    const isThere = (): boolean => {
      const screen = this.terminal.screen().join("\n");
      return typeof text === "string" ? screen.includes(text) : text.test(screen);
    };
    return until(`the screen shows ${String(text)}`, isThere).catch((error: unknown) => {
      throw new Error(`${String(error)}:\n${this.terminal.screen().join("\n")}`);
    });
  }

  async leaves(keys: string, status: number): Promise<void> {
    this.press(keys);
    expect(await this.exit).toBe(status);
    expect(this.terminal.isRestored()).toBe(true);
  }
}

const small = { columns: 80, rows: 24 };
const large = { columns: 200, rows: 50 };

describe("the interactive screen over 200 workers", () => {
  let project: Project;
  beforeAll(async () => {
    project = makeProject();
    await fillWorkers(project);
  });
  afterAll(() => project.remove());

  it.each([small, large])("shows, finds and scrolls them on $columns x $rows", async (size) => {
    const person = new Person(project, size, "status", "-i");
    await person.sees("S-big  Add OAuth login");
    await person.sees(`1-${size.rows - 4} of 201`);
    await person.sees(/\d+ questions wait for you: n/);
    await until(
      "the last row names keys",
      () => person.terminal.screen().at(-1)?.includes("q quit") === true,
    );
    person.press(END);
    await person.sees(`${201 - (size.rows - 4) + 1}-201 of 201`);
    await until("the last row is chosen", () => person.terminal.screen().at(-3)?.startsWith("> ") === true);
    // One key leads to any row with a question.
    person.press("n");
    await person.sees(/^> .*NEEDS YOU/m);
    person.press("/needs you\r");
    await person.sees("filter: needs you");
    await until("only those that ask are left", () => {
      const rows = person.terminal.screen().slice(2, -2).filter(Boolean);
      return rows.length > 0 && rows.every((row) => row.includes("NEEDS YOU"));
    });
    person.press("\u001B");
    await person.sees("of 201");
    await person.leaves("q", 0);
  });

  it.each(["", "\r"])("names the way out on a small terminal without glyphs (after %j)", async (keys) => {
    const person = new Person(project, small, "status", "-i", "--ascii");
    await person.sees("S-big  Add OAuth login");
    person.press(keys);
    await person.sees(keys === "" ? "q quit" : "q back");
    expect(person.terminal.screen().at(-1)).toMatch(/q (?:quit|back)$/);
    await person.leaves(keys === "" ? "q" : "qq", 0);
  });

  it("shows a worker's hostile output harmlessly and follows it", async () => {
    const person = new Person(project, small, "status", "-i");
    await person.sees("Add OAuth login");
    person.press(DOWN);
    await person.sees(/^> +\S+ 1 /m);
    person.press("l");
    await person.sees("red txet 日本語");
    appendFileSync(join(logFolder(project), "stdout"), "one line more\n");
    await person.sees("one line more");
    person.press("d");
    await person.sees("diff");
    expect(person.written).not.toContain("owned");
    await person.leaves("qq", 0);
  });

  it("is redrawn after a resize", async () => {
    const person = new Person(project, small, "status", "-i");
    await person.sees("1-20 of 201");
    person.terminal.resize(70, 15);
    const pts = readlinkSync(`/proc/${programBelow(person.child.pid)}/fd/1`);
    execFileSync("stty", ["-F", pts, "cols", "70", "rows", "15"]);
    await person.sees("1-11 of 201");
    expect(person.terminal.screen()).toHaveLength(15);
    await person.leaves("q", 0);
  });

  it.each([
    ["Ctrl-C", CONTROL_C, 0],
    ["Ctrl-C while typing", `/x${CONTROL_C}`, 0],
    ["Ctrl-D", "\u0004", 0],
  ])("is left by %s, which restores the terminal", async (_, keys, status) => {
    const person = new Person(project, small, "status", "--watch", "--interactive");
    await person.sees("Add OAuth login");
    await person.leaves(keys, status);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("restores the terminal on %s", async (signal) => {
    const person = new Person(project, small, "status", "-i");
    await person.sees("Add OAuth login");
    process.kill(programBelow(person.child.pid), signal);
    expect(await person.exit).toBe(signal === "SIGINT" ? 0 : 143);
    expect(person.terminal.isRestored()).toBe(true);
  });

  it("opens with i from status --watch, and writes only what has changed", async () => {
    const person = new Person(project, small, "status", "--watch");
    await until("the watch is drawn", () => person.written.includes("i chooses a worker"));
    person.press("i");
    await person.sees("Add OAuth login");
    await person.sees("questions wait");
    person.press(PAGE_DOWN);
    await until("the mark has moved", () => person.terminal.screen()[2]?.startsWith("> ") === false);
    const before = person.terminal.writtenRows;
    person.press("k");
    await until("one row was written", () => person.terminal.writtenRows > before);
    // The old row, the new row and the times of running rows are written, but never all 24 rows.
    expect(person.terminal.writtenRows - before).toBeLessThan(24);
    await person.leaves("q", 0);
  });

  it("is plain without a terminal or with --json", async () => {
    const piped = await project.ambit("status", "-i");
    expect([piped.status, piped.stdout.includes("\u001B")]).toEqual([0, false]);
    expect(await project.json("status", "-i")).toMatchObject({ story: "S-big" });
  });
});

/** 200 workers of one story on three levels: some run, some wait, some ask, some failed. */
async function fillWorkers(project: Project): Promise<void> {
  await makeBigStore(ownStoreFile(project.root), { delegations: 200, events: 3000, others: 1 });
  const folder = logFolder(project);
  mkdirSync(folder, { recursive: true });
  const hostile = "\u001B[31mred\u001B[2J\u001B[H\u001B]0;owned\u0007 \u202Etxet 日本語\u009B5A \r\u0008\n";
  writeFileSync(join(folder, "stdout"), `${hostile}${"x".repeat(100_000)}\nlast\n${hostile}`);
}

function logFolder(project: Project): string {
  return join(getStateDirectory(project.root), "logs", "S-big-DEL-001", "attempt-1");
}

/** The program that runs on the terminal: `script` replaces its shell by it. */
function programBelow(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return Number(children.split(" ")[0]);
}

describe("a person on the interactive screen", () => {
  let project: Project;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(() => project.remove());

  const startStory = (id: string, line: string, ...more: string[]): Promise<unknown> =>
    project.ambit("run", `Story ${id}`, "--id", id, ...more, "--detach", "--", "sh", "-c", line);

  it("replies to a question in place, and the worker continues with the answer", async () => {
    await startStory(
      "A1",
      'cat > /dev/null; ambit ask "uuid or bigint?" --wait 60 > a1.txt',
      "--check",
      "grep -q uuid a1.txt",
    );
    const person = new Person(project, small, "attach", "A1", "-i");
    await person.sees('"uuid or bigint?"');
    person.press("r");
    await person.sees("reply:");
    // A pasted line end does not send half of the answer.
    person.press("\u001B[200~uuid,\nplease\u001B[201~");
    await person.sees("reply: uuid, please");
    person.press("\r");
    await person.sees(/A1 {2}Story A1 · (done|completed)/);
    await person.leaves("q", 0);
    expect(person.written).toContain("ambit merge A1");
  });

  it("approves only changes whose diff is shown, and rejects with a reason", async () => {
    const line = "cat > /dev/null; mkdir -p .github/workflows; echo 'on: push' > .github/workflows/ci.yml";
    for (const id of ["A2", "A3"]) await startStory(id, line, "--check", "test -f .github/workflows/ci.yml");
    const approving = new Person(project, small, "attach", "A2", "-i");
    await approving.sees("NEEDS YOU");
    approving.press("a");
    await approving.sees("+on: push");
    approving.press("an");
    await approving.sees("Nothing was approved.");
    approving.press("ay");
    await approving.sees(/A2 {2}Story A2 · (done|completed)/);
    await approving.leaves("q", 0);
    const rejecting = new Person(project, large, "attach", "A3", "-i");
    await rejecting.sees("NEEDS YOU");
    rejecting.press("x");
    await rejecting.sees("+on: push");
    rejecting.press("xNot the CI files\r");
    await rejecting.sees(/A3 {2}Story A3 · (partial|blocked|failed)/);
    await rejecting.leaves("q", 3);
    expect((await project.ambit("logs", "A3", "--events")).stdout).toContain("Not the CI files");
  });

  it("stops a worker after a question, and can leave without stopping it", async () => {
    const go = `${project.root}.go`;
    await startStory("A4", `cat > /dev/null; while [ ! -e ${go} ]; do sleep 0.05; done`, "--check", "true");
    const leaving = new Person(project, small, "attach", "A4", "-i");
    await leaving.sees("running");
    await leaving.leaves(CONTROL_C, 130);
    expect(await project.json("status", "A4")).toMatchObject({ status: "running" });
    const stopping = new Person(project, small, "status", "A4", "-i");
    await stopping.sees("running");
    stopping.press("sn");
    await stopping.sees("It works on.");
    stopping.press("sy");
    await stopping.sees(/A4 {2}Story A4 · cancelled/);
    await stopping.leaves("q", 0);
  });
});
