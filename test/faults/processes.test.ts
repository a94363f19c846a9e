import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readIdentity } from "../../src/containment/process-identity.ts";
import { makeProject, processesWith, until, type Project } from "../e2e/project.ts";
import { endsOf } from "./journal-facts.ts";
import { stateOf } from "./proc-state.ts";
import { runAmbit, startWorker } from "./waiting-worker.ts";

let project: Project;
let stranger: ChildProcess | undefined;
beforeEach(() => {
  project = makeProject();
});
afterEach(async () => {
  stranger?.kill("SIGKILL");
  stranger = undefined;
  await project.remove();
});

it("a run reports why its supervisor could not start, with the cause's own code and status", async () => {
  project.write("ambit.yaml", "delegation: [\n");
  const run = await project.ambit("run", "Broken", "--id", "Y1", "--", "true");
  expect(run.status).toBe(2);
  expect(run.stderr).toMatch(/CONFIG_INVALID +ambit\.yaml:\d/);
});

it("a run ends with its worker, even if a leftover process holds stdout open", async () => {
  const startedMs = performance.now();
  const run = await project.ambit(
    "run",
    "Hold",
    "--id",
    "H1",
    "--",
    "sh",
    "-c",
    "setsid sleep 7402 & echo {}",
  );
  expect(performance.now() - startedMs).toBeLessThan(15_000);
  expect(run.stderr).toContain("exited with code 0");
  expect(processesWith("7402")).toBe(0);
});

it("a run shows bytes that are not text as text, and keeps them unchanged", async () => {
  const bytes = String.raw`\377\376 caf\351 \000 \033[31m \355\240\200 \303\n\357\273\277bom\r\nplain\n`;
  const words = ["run", "Bytes", "--id", "B1", "--json", "--", "printf", bytes];
  const run = await project.ambit(...words);
  expect(run.status).toBe(1);
  expect(JSON.parse(run.stdout)).toMatchObject({ story: "B1", outcome: "failed", code: "NOT_JSON" });
  expect(run.stderr).toMatch(/\bplain\n/);
  for (const control of ["\u001B", "\0"]) expect(run.stderr).not.toContain(control);
  const kept = readFileSync(join(project.root, ".git/ambit/logs/B1/attempt-1/stdout"));
  expect(kept.subarray(0, 7)).toEqual(Buffer.from([0xff, 0xfe, 0x20, 0x63, 0x61, 0x66, 0xe9]));
  expect((await project.ambit("audit", "--verify")).status).toBe(0);
});

describe("times beyond the 24.8 days that a timer allows", () => {
  it("do not end a silent worker at once", async () => {
    project.write("ambit.yaml", "delegation:\n  idle:\n    warnSeconds: 3000000\n    stopSeconds: 3000001\n");
    const run = await project.ambit("run", "Long", "--id", "T1", "--", "sh", "-c", "sleep 0.5; exit 5");
    expect(run.stderr).toContain("exited with code 5");
    expect(endsOf(project, "T1")).toMatchObject([{ code: "NOT_JSON" }]);
  });

  it("do not make an idle supervisor exit at once", async () => {
    const patient = { AMBIT_IDLE_MS: String(30 * 86_400_000) };
    await runAmbit(project, ["run", "Stay", "--id", "T2", "--", "true"], patient);
    const pid = await project.supervisorPid();
    await runAmbit(project, ["run", "Stay", "--id", "T3", "--", "true"], patient);
    expect(pid).toBeGreaterThan(0);
    expect(await project.supervisorPid()).toBe(pid);
  });
});

describe("a pid that now belongs to another process", () => {
  /** Kills the supervisor of a story and returns its note about the worker. The story ends at once when it continues. */
  async function leaveNote(): Promise<string> {
    const worker = startWorker(project, { id: "Z1", second: "sleep 0 7403" });
    try {
      await worker.isWaiting();
      process.kill(await project.supervisorPid(), "SIGKILL");
      worker.letGo();
      await worker.ended;
    } finally {
      worker.remove();
    }
    return join(project.root, ".git/ambit/logs/Z1/attempt-1/process.json");
  }

  async function recoverWith(change: (stranger: object) => object): Promise<string | undefined> {
    const note = await leaveNote();
    stranger = spawn("sleep", ["7404"], { stdio: "ignore", detached: true });
    const identity = readIdentity(stranger.pid ?? 0);
    if (identity === undefined) throw new Error("the stranger is not there");
    const record = JSON.parse(readFileSync(note, "utf8"));
    writeFileSync(note, JSON.stringify({ ...record, identity: change(identity) }));
    await project.ambit("doctor", "--fix");
    await until("the story has ended", () => endsOf(project, "Z1").length > 0);
    expect(endsOf(project, "Z1")).toHaveLength(1);
    return stateOf(stranger.pid ?? 0);
  }

  it("is never killed", async () => {
    expect(await recoverWith((found) => ({ ...found, startTime: 1 }))).toBe("S");
  });

  it("control: the process in the note is killed", async () => {
    expect(await recoverWith((found) => found)).not.toBe("S");
  });
});
