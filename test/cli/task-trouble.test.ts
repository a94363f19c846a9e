import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hashFiles, stateText, todoText } from "../e2e/task-project.ts";
import { runInProcess } from "./run-in-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const entries = [
  { number: 7, title: "First thing" },
  { number: 8, title: "Second thing", status: "completed" as const },
];

let directory: string;
beforeEach(() => {
  directory = temporaryFolder({
    ".git/HEAD": "ref: refs/heads/main\n",
    "specs/state.json": stateText(entries, 9),
    "specs/TODO.md": todoText(entries, 9),
  });
});

const run = (...words: string[]) => runInProcess(["task", ...words], { directory });
const files = (): unknown => hashFiles(join(directory, "specs"));
const fileAt = (path: string): string => join(directory, path);

/** The refusal of a command, with the exit status that must be the same with --json. */
async function refusal(...words: string[]): Promise<string> {
  const spoken = await run(...words);
  const told = await run(...words, "--json");
  expect(spoken.stdout).toBe("");
  expect(told.exitCode).toBe(spoken.exitCode);
  const { error } = JSON.parse(told.stdout);
  expect(error).toMatchObject({
    message: expect.stringMatching(/./),
    recommendation: expect.stringMatching(/./),
  });
  return `${spoken.exitCode} ${error.code} ${error.message}`;
}

describe("a task command is refused and changes nothing", () => {
  it.each([
    ["a range that runs backwards", ["status", "9-3", "planned"], /^1 INVALID_RANGE .*9-3/],
    ["an unknown status", ["status", "7", "finished-ish"], /^[12] TASK_STATUS_UNKNOWN .*finished-ish/],
    ["an unknown filter", ["list", "--status", "finished-ish"], /^[12] TASK_STATUS_UNKNOWN .*finished-ish/],
    ["a word in place of a number", ["archive", "1x"], /^[12] (?:INVALID_TASK_NUMBER|TASK_NOT_FOUND) .*1x/],
    ["task zero", ["recover", "0"], /^1 INVALID_TASK_NUMBER .*0/],
    ["a task that does not exist", ["show", "999"], /^[12] TASK_NOT_FOUND Task 999 not found in TODO\.md/],
    [
      "a task that does not exist and a new status for it",
      ["status", "999", "planned"],
      /^[12] TASK_NOT_FOUND Task 999 not found in TODO\.md/,
    ],
    ["far too many tasks", ["archive", "1-999999"], /^1 RANGE_TOO_LARGE/],
    [
      "a status that the task cannot change to",
      ["status", "8", "planned"],
      /^1 ILLEGAL_TRANSITION .*completed.*planned/,
    ],
    ["a task to archive that is not finished", ["archive", "7"], /^\d \S+ .*7/],
    ["a task to recover that was never archived", ["recover", "7"], /^\d \S+ .*7/],
    ["an unknown priority", ["edit", "7", "--priority", "urgent"], /^\d \S+ .*urgent/],
    ["a title of blanks", ["add", "  "], /^\d \S+ /],
    ["a task to edit and no change", ["edit", "7"], /^2 USAGE/],
    ["a task to divide and no parts", ["divide", "7"], /^2 USAGE/],
    ["a file that does not exist", ["import", "none.json"], /^2 INPUT_UNREADABLE none\.json/],
    ["a dependency that does not exist", ["add", "New", "--depends", "999"], /^\d \S+ .*999/],
  ])("if it names %s (R66, R69)", async (_what, words, expected) => {
    const before = files();
    expect(await refusal(...words)).toMatch(expected);
    expect(files()).toStrictEqual(before);
  });
});

describe("a task command fails", () => {
  const state = stateText(entries, 9);
  const todo = todoText(entries, 9);
  const markers = (text: string): string =>
    text.replace(/^(.*First.*)$/m, "<<<<<<< HEAD\n$1\n=======\n$1 again\n>>>>>>> other");

  it.each([
    ["broken JSON", "specs/state.json", state.slice(0, -20), /^\d TASK_FILE_BROKEN specs\/state\.json/],
    ["an empty file", "specs/state.json", "", /^\d TASK_FILE_BROKEN specs\/state\.json/],
    [
      "a list in place of an object",
      "specs/state.json",
      "[1, 2]\n",
      /^\d TASK_FILE_BROKEN specs\/state\.json/,
    ],
    [
      "conflict markers in state.json",
      "specs/state.json",
      markers(state.replace("first_thing", "First")),
      /^\d TASK_FILE_CONFLICT specs\/state\.json/,
    ],
    ["conflict markers in TODO.md", "specs/TODO.md", markers(todo), /^\d TASK_FILE_CONFLICT specs\/TODO\.md/],
    [
      "two tasks with the same number",
      "specs/state.json",
      state.replace('"project_number": 8', '"project_number": 7'),
      /^\d DUPLICATE_ID .*7/,
    ],
    [
      "50 MB of text",
      "specs/TODO.md",
      `${todo}${"x".repeat(79).concat("\n").repeat(655_360)}`,
      /^\d TASK_FILE_TOO_LARGE specs\/TODO\.md/,
    ],
    [
      "50 MB of state",
      "specs/state.json",
      state.replace('"description": "', `"description": "${"x".repeat(52_428_800)}`),
      /^\d TASK_FILE_TOO_LARGE specs\/state\.json/,
    ],
  ])("and leaves the task files alone if it finds %s", async (_what, path, text, expected) => {
    writeFileSync(fileAt(path), text);
    const before = files();
    expect(await refusal("status", "7", "planning")).toMatch(expected);
    expect((await run("sync")).exitCode).not.toBe(0);
    expect(files()).toStrictEqual(before);
  });

  it("also if it only lists tasks and state.json is broken or a folder", async () => {
    writeFileSync(fileAt("specs/state.json"), state.slice(0, -20));
    const listed = await run("list");
    expect(listed).toMatchObject({ stdout: "" });
    expect(listed.stderr).toMatch(/TASK_FILE_BROKEN {2}specs\/state\.json/);
    rmSync(fileAt("specs/state.json"));
    mkdirSync(fileAt("specs/state.json"));
    expect((await run("list")).exitCode).not.toBe(0);
  });
});

it("a change of status keeps CRLF line ends and everything around the changed field, byte for byte", async () => {
  const file = fileAt("specs/TODO.md");
  const text = todoText(entries, 9).replaceAll("\n", "\r\n");
  writeFileSync(file, text);
  expect((await run("status", "7", "planning")).exitCode).toBe(0);
  const [changed = ""] = text.match(/\[NOT STARTED\]/) ?? [];
  expect(readFileSync(file, "utf8")).toBe(text.replace(changed, "[PLANNING]"));
});

it("a worker cannot change the status of a task, and the task files stay as they are", async () => {
  const before = files();
  const { stderr, exitCode } = await runInProcess(["task", "status", "7", "planning"], {
    directory,
    environment: { AMBIT_TOKEN: "t" },
  });
  expect(stderr).toContain("NOT_A_PERSON");
  expect(exitCode).toBe(2);
  expect(files()).toStrictEqual(before);
});
