import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  nameAttemptFiles,
  noteCheckRun,
  readAttemptProcess,
  readCheckRuns,
  writeProcessRecord,
  writePrompt,
} from "../../../src/orchestrator/delegation/attempt-files.ts";
import { temporaryFolder } from "../../cli/temporary-folder.ts";

const attempt = { id: "S-1-DEL-001", attempt: 2 };
const identity = { bootId: "b", pid: 7, startTime: 12 };
const record = { runId: "r-1", tier: "subreaper", uid: 1000, identity, cgroup: null } as const;
const announced = { runId: "r-2", uid: 1000, identity: null, cgroup: null };

describe("the files of an attempt", () => {
  it("lie in a folder of its own, its return and its notes included", () => {
    const directory = "/state/logs/S-1-DEL-001/attempt-2";
    expect(nameAttemptFiles("/state", attempt)).toEqual({
      directory,
      prompt: `${directory}/prompt.md`,
      returnFile: `${directory}/return.json`,
      handoverFile: `${directory}/handover.md`,
      process: `${directory}/process.json`,
      checkRuns: `${directory}/checks.jsonl`,
      requests: `${directory}/requests.jsonl`,
    });
  });

  it("that a worker in a sandbox leaves lie in its outbox and name the attempt", () => {
    expect(nameAttemptFiles("/state", { ...attempt, outbox: "/out" })).toMatchObject({
      prompt: "/state/logs/S-1-DEL-001/attempt-2/prompt.md",
      returnFile: "/out/return-2.json",
      handoverFile: "/out/handover-2.md",
    });
  });

  it("hold its prompt and its story, which only their owner can read", () => {
    const files = nameAttemptFiles(temporaryFolder(), attempt);
    writePrompt(files, "Do it.", { title: "It" });
    const story = join(files.directory, "prd.json");
    expect(readFileSync(files.prompt, "utf8")).toBe("Do it.");
    expect(readFileSync(story, "utf8")).toBe('{\n  "title": "It"\n}\n');
    for (const [path, mode] of [
      [files.directory, 0o700],
      [files.prompt, 0o600],
      [story, 0o600],
    ] as const)
      expect(statSync(path).mode & 0o777).toBe(mode);
  });

  it("name its process for a later owner; without a whole record there is none", () => {
    const state = temporaryFolder();
    const files = nameAttemptFiles(state, attempt);
    writePrompt(files, "", {});
    expect(readAttemptProcess(state, attempt)).toBeUndefined();
    writeProcessRecord(files, record);
    expect(readAttemptProcess(state, attempt)).toEqual(record);
    expect(statSync(files.process).mode & 0o777).toBe(0o600);
    appendFileSync(files.process, "{");
    expect(readAttemptProcess(state, attempt)).toBeUndefined();
  });

  it("list every check that was begun, but no line that is half written or not ours", () => {
    const state = temporaryFolder();
    expect(readCheckRuns(state, attempt)).toEqual([]);
    noteCheckRun(state, attempt, announced);
    noteCheckRun(state, attempt, record);
    const { checkRuns, directory } = nameAttemptFiles(state, attempt);
    expect([statSync(checkRuns).mode & 0o777, statSync(directory).mode & 0o777]).toEqual([0o600, 0o700]);
    appendFileSync(checkRuns, `{"runId":"r-3"}\n{"runId":`);
    expect(readCheckRuns(state, attempt)).toEqual([announced, record]);
  });
});
