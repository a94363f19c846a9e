import { linkSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { measureFolders } from "../../src/containment/measure-folders.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { launchForTest, sh } from "./launch-for-test.ts";
import { movableClock } from "./movable-clock.ts";

const quiet = sh("echo ready; exec sleep 300");
const MIB = 1024 * 1024;
const available = (await probeContainment()).tiers.filter((tier) => tier.available).map(({ tier }) => tier);

it("asks to wind down at the soft limit and ends the tree at the deadline (R75, R76)", async () => {
  const clock = movableClock();
  const limits = { timeoutMs: 20_000, softLimit: 0.8, graceMs: 100 };
  const run = await launchForTest(quiet, { limits }, { clock });
  await run.ready();
  clock.moveOn(16_500);
  expect(await run.seen(({ kind }) => kind === "wind-down-asked")).toMatchObject({ cause: "time" });
  expect(run.events.some(({ kind }) => kind === "stop-started")).toBe(false);
  clock.moveOn(3600);
  expect(await run.exited).toMatchObject({ reason: "timeout", errorCode: "TIMEOUT", survivors: 0 });
  expect(run.events.filter(({ kind }) => kind === "wind-down-asked")).toHaveLength(1);
});

it("asks to wind down once when the caller wants it, and does nothing else", async () => {
  const run = await launchForTest(sh("echo ready; read -r line; echo got $line"), { keepStdinOpen: true });
  await run.ready();
  run.windDown();
  run.windDown();
  expect(run.events.filter(({ kind }) => kind !== "line-read")).toStrictEqual([
    { kind: "wind-down-asked", cause: "caller" },
  ]);
  run.writeInput("commit and report\n");
  expect(await run.exited).toMatchObject({ code: 0, reason: "exited" });
  expect(run.lines()).toStrictEqual(["ready", "got commit and report"]);
});

it("warns about silence, resets on output, and stops a tree that stays silent", async () => {
  const clock = movableClock();
  const limits = { idleWarnMs: 10_000, idleStopMs: 20_000, graceMs: 0 };
  const talking = sh("echo ready; while read -r line; do echo $line; done");
  const run = await launchForTest(talking, { limits, keepStdinOpen: true }, { clock });
  await run.ready();
  clock.moveOn(11_000);
  await run.seen(({ kind }) => kind === "idle-warned");
  run.writeInput("alive\n");
  await run.seen((event) => event.kind === "line-read" && event.text === "alive");
  clock.moveOn(11_000);
  await run.seen((event) => event.kind === "idle-warned" && run.events.indexOf(event) > 2);
  clock.moveOn(10_000);
  expect(await run.exited).toMatchObject({ reason: "stalled", errorCode: "STALLED", survivors: 0 });
});

it("extends deadlines by the time we did not run, and says so", async () => {
  const clock = movableClock();
  const limits = { timeoutMs: 50_000, idleWarnMs: 40_000, idleStopMs: 45_000, graceMs: 0 };
  const run = await launchForTest(quiet, { limits }, { clock });
  await run.ready();
  clock.moveOn(120_000);
  const gap = await run.seen(({ kind }) => kind === "gap-noticed");
  expect(gap).toMatchObject({ kind: "gap-noticed" });
  if (gap.kind === "gap-noticed") expect(Math.round(gap.extendedMs / 1000)).toBe(120);
  clock.moveOn(20_000);
  clock.moveOn(5000);
  run.windDown();
  expect(run.events.map(({ kind }) => kind)).toStrictEqual(["line-read", "gap-noticed", "wind-down-asked"]);
});

describe.each(available)("the watch over a tree in the tier %s", (tier) => {
  it.each([
    ["with newlines", "yes ambit"],
    ["without newlines", "exec cat /dev/zero"],
  ])("caps a flood %s and keeps the files within the limit", async (_name, script) => {
    const limits = { outputMaxBytes: 2 * MIB };
    const run = await launchForTest(sh(script), { tier, limits });
    const facts = await run.exited;
    expect(facts).toMatchObject({ reason: "output-limit", errorCode: "OUTPUT_LIMIT_EXCEEDED", survivors: 0 });
    expect(facts.outputBytes).toBeGreaterThan(2 * MIB);
    const sizes = ["stdout", "stderr"].map((name) => statSync(join(run.directory, "logs", name)).size);
    expect(sizes).toStrictEqual([2 * MIB, 0]);
  });

  it("ends a tree with too many processes (R186)", async () => {
    const bomb = "i=0; while [ $i -lt 40 ]; do sleep 300 & i=$((i+1)); done; wait";
    const run = await launchForTest(sh(bomb), { tier, limits: { maxProcesses: 20 } });
    const facts = await run.exited;
    expect(facts).toMatchObject({
      reason: "resource-limit",
      errorCode: "RESOURCE_LIMIT_EXCEEDED",
      survivors: 0,
    });
    expect(run.events.find(({ kind }) => kind === "limit-exceeded")).toMatchObject({
      limit: "processes",
      max: 20,
    });
    expect(facts.usage?.peakProcesses).toBeGreaterThan(20);
  });

  it("ends a tree that uses too much memory (R186)", async () => {
    const hog = 'my $x = "x" x (200 << 20); sleep 300';
    const run = await launchForTest(["/usr/bin/perl", "-e", hog], {
      tier,
      limits: { memoryMaxBytes: 100 * MIB },
    });
    const facts = await run.exited;
    expect(facts).toMatchObject({ reason: "resource-limit", survivors: 0 });
    expect(run.events.find(({ kind }) => kind === "limit-exceeded")).toMatchObject({ limit: "memory" });
  });
});

describe("the limit of a tree's disk space", () => {
  const fill = (folder: string, seconds: number): readonly string[] =>
    sh(
      `for name in first second; do head -c ${4 * MIB} /dev/zero > ${folder}/$name; done; sleep ${seconds}; exit 7`,
    );

  it.each([
    ["ends a tree that exceeds it", 6 * MIB, 0, "disk-limit"],
    ["leaves a tree alone that stays below it", 20 * MIB, 0, "exited"],
    ["does not count files from before the run", 6 * MIB, 4 * MIB, "exited"],
  ] as const)("%s (R186)", async (_name, maxBytes, baseBytes, reason) => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-disk-"));
    try {
      const disk = { maxBytes, baseBytes, folders: [folder] };
      const isOver = reason === "disk-limit";
      const run = await launchForTest(fill(folder, isOver ? 300 : 1.5), { limits: { disk } });
      expect(await run.exited).toMatchObject({
        reason,
        errorCode: isOver ? "DISK_LIMIT_EXCEEDED" : null,
        survivors: 0,
      });
      const told = run.events.filter(({ kind }) => kind === "limit-exceeded");
      expect(told).toMatchObject(isOver ? [{ limit: "disk", max: maxBytes }] : []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ["counts a deleted file that a process still has open", 6 * MIB, "/var/tmp", "disk-limit"],
    ["leaves a tree alone whose deleted file stays below it", 20 * MIB, "/var/tmp", "exited"],
    ["does not count a deleted file in memory", 6 * MIB, "/dev/shm", "exited"],
  ] as const)("%s (R186)", async (_name, maxBytes, place, reason) => {
    const folder = mkdtempSync(join(place, "ambit-disk-"));
    try {
      const disk = { maxBytes, baseBytes: 0, folders: [folder] };
      const isOver = reason === "disk-limit";
      const hide = `exec 3> ${folder}/gone; rm ${folder}/gone; head -c ${8 * MIB} /dev/zero >&3`;
      const run = await launchForTest(sh(`${hide}; sleep ${isOver ? 300 : 1.5}; exit 7`), {
        limits: { disk },
      });
      expect(await run.exited).toMatchObject({ reason, survivors: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("counts a file with two names once, and follows no link (R186)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-disk-"));
    try {
      writeFileSync(join(folder, "one"), Buffer.alloc(2 * MIB, 1));
      const alone = await measureFolders([folder]);
      linkSync(join(folder, "one"), join(folder, "two"));
      symlinkSync("/usr", join(folder, "elsewhere"));
      expect(await measureFolders([folder])).toBeLessThan(alone + MIB);
      expect(alone).toBeGreaterThanOrEqual(2 * MIB);
      expect(await measureFolders([join(folder, "none")])).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it.each(["subreaper", "process-group"] as const)(
  "ends a tree that uses too much CPU time, by the kernel or by polling: %s (R186)",
  async (tier) => {
    const run = await launchForTest(sh("while :; do :; done"), { tier, limits: { cpuMaxSeconds: 1 } });
    const facts = await run.exited;
    expect(facts).toMatchObject({ reason: "resource-limit", survivors: 0 });
    expect(facts.usage?.cpuSeconds).toBeGreaterThan(0.5);
  },
);

it("counts the output of both streams, and keeps the smaller one complete", async () => {
  const script = "echo important >&2; exec cat /dev/zero";
  const run = await launchForTest(sh(script), { limits: { outputMaxBytes: MIB } });
  await run.exited;
  expect(readFileSync(join(run.directory, "logs/stderr"), "utf8")).toBe("important\n");
  expect(statSync(join(run.directory, "logs/stdout")).size).toBe(MIB - "important\n".length);
});

it("the limit of output also ends an agent that empties its own output file", async () => {
  const script = "while :; do head -c 300000 /dev/zero; : > /dev/stdout; done";
  const run = await launchForTest(sh(script), { limits: { outputMaxBytes: 4 * MIB } });
  expect(await run.exited).toMatchObject({ reason: "output-limit" });
});

it("a run continues when its listener throws, and reports the error at the end", async () => {
  const onEvent = (): void => {
    throw new Error("listener broke");
  };
  const run = await launchForTest(sh("echo one; echo two; exit 3"), { onEvent });
  const facts = await run.exited;
  expect(facts).toMatchObject({ code: 3, reason: "exited" });
  expect(facts.listenerError).toStrictEqual(new Error("listener broke"));
  expect(run.lines()).toStrictEqual(["one", "two"]);
});

it.each(available.filter((tier) => tier !== "process-group" && tier !== "pid-namespace"))(
  "reports in the tier %s which signal the agent ended itself with",
  async (tier) => {
    const run = await launchForTest(sh("kill -SEGV $$"), { tier });
    expect(await run.exited).toMatchObject({ code: null, signal: "SIGSEGV", reason: "exited" });
  },
);

it.each([
  ["SIGXCPU", { cpuMaxSeconds: 100 }, "resource-limit"],
  ["SIGXCPU", {}, "exited"],
  ["SIGXFSZ", {}, "resource-limit"],
  ["SIGXFSZ", { fileMaxBytes: null }, "exited"],
  ["SIGTERM", { cpuMaxSeconds: 100 }, "exited"],
] as const)("classifies an end by %s with %j as %s", async (signal, limits, reason) => {
  const run = await launchForTest(sh(`kill -${signal.slice(3)} $$`), { limits });
  expect(await run.exited).toMatchObject({ reason });
});

it("stops an agent that writes a file beyond the limit for one file", async () => {
  const limits = { fileMaxBytes: MIB };
  const run = await launchForTest(sh("exec head -c 9000000 /dev/zero > large"), { limits });
  expect(await run.exited).toMatchObject({ reason: "resource-limit", outputBytes: 0 });
  expect(statSync(join(run.directory, "large")).size).toBe(MIB);
});
