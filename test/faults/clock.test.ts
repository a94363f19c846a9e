import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { makeProject, until, type Project } from "../e2e/project.ts";
import { endsOf, readEvents } from "./journal-facts.ts";
import { stateOf } from "./proc-state.ts";
import { startWorker, type WaitingWorker } from "./waiting-worker.ts";
import { removeFolder } from "../e2e/remove-folder.ts";

const YEAR_MS = 365 * 86_400_000;
const library = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

let project: Project;
let folder: string;
let workers: WaitingWorker[];
beforeEach(() => {
  expect(existsSync(library)).toBe(true);
  project = makeProject();
  folder = mkdtempSync(join(tmpdir(), "ambit-clock-"));
  moveClock("+0");
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) worker.letGo();
  await Promise.all(workers.map((worker) => worker.ended));
  for (const worker of workers) worker.remove();
  await project.remove();
  removeFolder(folder);
});

/** The supervisor that a story starts lives by this clock; workers and git do not. */
function moveClock(by: string): void {
  writeFileSync(join(folder, "time"), by);
}

function start(
  script: Parameters<typeof startWorker>[1],
  faked: "wall clock" | "every clock",
): WaitingWorker {
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder, "time"),
    FAKETIME_NO_CACHE: "1",
    ...(faked === "wall clock" ? { FAKETIME_DONT_FAKE_MONOTONIC: "1" } : {}),
  };
  const worker = startWorker(project, { ...script, environment });
  workers.push(worker);
  return worker;
}

const statusSchema = z.object({ needs_you: z.array(z.object({ duration_ms: z.number() })) });

describe("a run during which the wall clock jumps by years", () => {
  it.each([
    ["forwards", "+3650d", 10],
    ["backwards", "-3650d", -10],
  ])("keeps its deadlines and the order of the journal: %s", async (_way, jump, years) => {
    const startedMs = performance.now();
    const patient = start({ id: "P", first: "echo p > p.txt", words: ["--timeout", "60"] }, "wall clock");
    await patient.isWaiting();
    const late = start({ id: "L", first: "echo l > l.txt", words: ["--timeout", "2"] }, "wall clock");
    await late.isWaiting();
    moveClock(jump);
    const timedOut = await late.ended;
    const tookMs = performance.now() - startedMs;
    expect([timedOut.status, tookMs > 2000, tookMs < 30_000]).toEqual([124, true, true]);
    patient.letGo();
    expect((await patient.ended).status).toBe(3);
    expect(endsOf(project, "L")).toMatchObject([{ outcome: "timed_out", code: "TIMEOUT" }]);
    expect(endsOf(project, "P")).toMatchObject([{ outcome: "partial", code: "NOT_JSON" }]);

    const events = readEvents(project);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    // The fault was really there: the supervisor wrote down both times.
    const [first, last] = [events.at(0)?.at ?? "", events.at(-1)?.at ?? ""].map(Date.parse);
    expect(Math.round(((last ?? 0) - (first ?? 0)) / YEAR_MS)).toBe(years);
    expect((await project.ambit("audit", "--verify")).status).toBe(0);
    for (const id of ["L", "P"]) {
      const { needs_you: ended } = statusSchema.parse(
        JSON.parse((await project.ambit("status", id, "--json")).stdout),
      );
      expect(ended.map(({ duration_ms: ms }) => ms > 0 && ms < 60_000)).toEqual([true]);
    }
    expect((await project.ambit("status", "L")).stdout).not.toMatch(/-\d+ ?(?:ms|s|m|h|d)\b/);
    for (const report of ["tree", "stats", "performance", "doctor"])
      expect([report, (await project.ambit(report)).status]).toEqual([report, 0]);
  });
});

describe("a supervisor that is paused, as by a closed lid,", () => {
  async function pauseSupervisor(jump: string): Promise<WaitingWorker> {
    const worker = start({ id: "S", first: "echo s > s.txt", words: ["--timeout", "8"] }, "every clock");
    await worker.isWaiting();
    const pid = await project.supervisorPid();
    process.kill(pid, "SIGSTOP");
    try {
      moveClock(jump);
      await until("it is stopped", () => stateOf(pid) === "T");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    return worker;
  }

  it("for hours lets no deadline pass", async () => {
    const worker = await pauseSupervisor("+2h");
    await until("it has looked at the clock", async () => (await project.supervisorPid()) > 0);
    worker.letGo();
    expect((await worker.ended).status).toBe(3);
    expect(endsOf(project, "S")).toMatchObject([{ outcome: "partial", code: "NOT_JSON" }]);
    expect(project.git("show", "delegation/S:s.txt")).toBe("s\n");
  });

  it("for too short a time to count as sleep ends the worker at its deadline (control)", async () => {
    const worker = await pauseSupervisor("+20");
    expect((await worker.ended).status).toBe(124);
    expect(endsOf(project, "S")).toMatchObject([{ outcome: "timed_out", code: "TIMEOUT" }]);
    expect(project.git("show", "delegation/S:s.txt")).toBe("s\n");
  });
});
