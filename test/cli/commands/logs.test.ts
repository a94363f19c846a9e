import { execFileSync } from "node:child_process";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStory, start } from "../../reports/fill-store.ts";
import { filledRepository, json, run } from "./filled-repository.ts";

async function storyWithLogs(): Promise<string> {
  const directory = await filledRepository(async (store) => {
    await openStory(store, "S-1", "Story");
    await start(store, "S-1", { description: "first" });
    await start(store, "S-1", { description: "second" });
  });
  write(directory, "S-1/attempt-1/stdout", "planning\n");
  write(directory, "S-1-DEL-001/attempt-1/stdout", "one\ntwo\nthree");
  write(directory, "S-1-DEL-001/attempt-1/stderr", "oops\n");
  write(directory, "S-1-DEL-001/attempt-2/stdout", "again\r\n");
  write(directory, "S-1-DEL-001/attempt-10/stdout", "tenth\n");
  write(directory, "S-1-DEL-002/attempt-1/stdout", "\u001b[31mred\u0007\u202e\n");
  return directory;
}

/** Each file that the test writes gets an older time than the one before, so that order by time differs from order by name. */
let age = 0;
function write(directory: string, path: string, text: string): void {
  const file = join(directory, ".git/ambit/logs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  age += 10;
  utimesSync(file, 1_700_000_000 - age, 1_700_000_000 - age);
}

describe("ambit logs", () => {
  it("merges the logs of a story, each line with its task and attempt; `!` marks stderr (R101)", async () => {
    const { exitCode, stdout } = await run(await storyWithLogs(), ["logs"]);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toStrictEqual([
      "S-1 | planning",
      // The file of stderr is older than that of stdout, and the newest stream comes last.
      "1 ! oops",
      "1 | one",
      "1 | two",
      "1 | three",
      "1#2 | again",
      "1#10 | tenth",
      String.raw`2 | \u{1b}[31mred\u{7}\u{202e}`,
    ]);
  });

  it("shows one task without a prefix, control characters always made visible", async () => {
    const directory = await storyWithLogs();
    expect((await run(directory, ["logs", "2"])).stdout).toBe(String.raw`\u{1b}[31mred\u{7}\u{202e}`);
    expect((await run(directory, ["logs", "S-1-DEL-001"])).stdout.split("\n")).toHaveLength(6);
  });

  it("--tail keeps the newest lines of each task", async () => {
    const { stdout } = await run(await storyWithLogs(), ["logs", "--tail", "2"]);
    expect(stdout.split("\n")).toStrictEqual([
      "S-1 | planning",
      "1#2 | again",
      "1#10 | tenth",
      String.raw`2 | \u{1b}[31mred\u{7}\u{202e}`,
    ]);
  });

  it("gives lines and files as one JSON document", async () => {
    const directory = await storyWithLogs();
    expect(await json(directory, ["logs", "2"])).toStrictEqual({
      schema: "ambit/v1",
      story: "S-1",
      id: "S-1-DEL-002",
      files: [
        {
          delegation: "S-1-DEL-002",
          attempt: 1,
          stream: "stdout",
          path: join(directory, ".git/ambit/logs/S-1-DEL-002/attempt-1/stdout"),
          bytes: Buffer.byteLength("\u001b[31mred\u0007\u202e\n"),
        },
      ],
      lines: [{ delegation: "S-1-DEL-002", attempt: 1, stream: "stdout", text: "\u001b[31mred\u0007\u202e" }],
      left_out_bytes: 0,
      interrupted: true,
    });
  });

  it("--events gives the journal as NDJSON, of a story or of one task", async () => {
    const directory = await storyWithLogs();
    const { stdout } = await run(directory, ["logs", "--events"]);
    const types = stdout.split("\n").map((line): unknown => JSON.parse(line).type);
    expect(types).toStrictEqual([
      "story-opened",
      "attempt-started",
      "delegation-admitted",
      "attempt-started",
      "delegation-admitted",
      "attempt-started",
    ]);
    const own = (await run(directory, ["logs", "1", "--events", "--tail", "1"])).stdout.split("\n");
    expect(own.map((line): unknown => JSON.parse(line))).toMatchObject([
      { type: "attempt-started", delegation: "S-1-DEL-001" },
    ]);
  });

  it("does not wait for a pipe in place of a log", async () => {
    const directory = await storyWithLogs();
    const folder = join(directory, ".git/ambit/logs/S-1-DEL-002/attempt-2");
    mkdirSync(folder);
    execFileSync("mkfifo", [join(folder, "stdout")]);
    expect((await run(directory, ["logs", "2"])).exitCode).toBe(0);
  });

  it("says that no supervisor is running the work, and ends", async () => {
    const directory = await storyWithLogs();
    const { exitCode, stderr, stdout } = await run(directory, ["--json", "logs", "2", "-f", "--tail", "0"]);
    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 0,
      stderr: "⚠ no supervisor works on S-1-DEL-002 now (running). Continue it: ambit resume S-1\n",
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: "S-1-DEL-002", outcome: null });
  });

  it.each([
    [["--raw", "--events"], "--raw and --events"],
    [["--raw", "-f"], "--raw prints the files as they are"],
    [["--tail", "-1"], "--tail must be a whole number"],
    [["--tail", "few"], "--tail must be a whole number"],
  ])("refuses %j", async (words, message) => {
    const { exitCode, stderr } = await run(await storyWithLogs(), ["logs", ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
