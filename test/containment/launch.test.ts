import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { containmentTiers } from "../../src/containment/contained-process.ts";
import { probeContainment, probeContainmentWith } from "../../src/containment/probe-containment.ts";
import { findByToken, hostileAgent } from "./hostile-agent.ts";
import { launchForTest, newToken, sh } from "./launch-for-test.ts";

const report = await probeContainment();
const available = report.tiers.filter((tier) => tier.available).map(({ tier }) => tier);
const isShielded = (name: string): boolean =>
  report.tiers.some(({ tier, shielded }) => tier === name && shielded);
const strong = available.filter((tier) => tier !== "process-group");

describe.each(available)("a launch in the tier %s", (tier) => {
  it("passes stdin, keeps both streams in private files and reports the exit code", async () => {
    const script = "cat; printf 'broken \\377\\r\\nlast'; echo oops >&2; exit 7";
    const run = await launchForTest(sh(script), { tier, stdin: "from us\n" });
    const facts = await run.exited;
    expect(facts).toMatchObject({ code: 7, signal: null, reason: "exited", errorCode: null, survivors: 0 });
    expect(run.lines()).toStrictEqual(["from us", "broken \uFFFD", "last"]);
    const flags = run.events.flatMap((event) => (event.kind === "line-read" ? [event.repaired] : []));
    expect(flags.filter(Boolean)).toHaveLength(1);
    expect(readFileSync(join(run.directory, "logs/stdout"))).toHaveLength(
      facts.outputBytes - "oops\n".length,
    );
    expect(statSync(join(run.directory, "logs/stdout")).mode & 0o777).toBe(0o600);
    expect(statSync(join(run.directory, "logs/stderr")).mode & 0o777).toBe(0o600);
  });

  it("gives the agent exactly its environment and the mark of its run", async () => {
    const environment = { PATH: "/usr/bin:/bin", ONLY: "this" };
    const run = await launchForTest(["/usr/bin/env"], { tier, environment });
    await run.exited;
    // bubblewrap sets the working directory, as a shell would.
    const lines = run.lines().filter((line) => !line.startsWith("PWD="));
    expect(lines.toSorted()).toStrictEqual([`AMBIT_RUN_ID=${run.runId}`, "ONLY=this", "PATH=/usr/bin:/bin"]);
  });

  it("ends a tree that ignores SIGTERM, once its grace is over", async () => {
    const run = await launchForTest(sh("trap '' TERM; echo ready; while :; do sleep 1; done"), { tier });
    await run.ready();
    const facts = await run.stop("test");
    expect(facts).toMatchObject({ reason: "stopped", survivors: 0 });
    expect(run.events.map(({ kind }) => kind).filter((kind) => kind !== "line-read")).toStrictEqual([
      "stop-started",
      "kill-started",
    ]);
  });

  it("lets an agent that listens to SIGTERM finish, and the worker behind its launcher too", async () => {
    const worker = "trap 'echo worker done; exit' TERM; echo ready; while :; do sleep 0.02; done";
    const script = `trap 'wait; echo launcher done; exit 4' TERM; setsid /bin/sh -c "${worker}" & wait`;
    const run = await launchForTest(sh(script), { tier, limits: { graceMs: 20_000 } });
    await run.ready();
    const facts = await run.stop("test");
    expect(facts).toMatchObject({ code: 4, reason: "stopped" });
    expect(run.lines()).toStrictEqual(["ready", "worker done", "launcher done"]);
  });

  it("ends with the agent even if a leftover process holds stdout open", async () => {
    const run = await launchForTest(sh("sleep 300 & echo answer; exit 0"), { tier });
    const facts = await run.exited;
    expect(facts).toMatchObject({ code: 0, reason: "exited", survivors: 0 });
    expect(facts.durationMs).toBeLessThan(20_000);
    expect(run.lines()).toStrictEqual(["answer"]);
  });

  it("accepts typed input until the input ends", async () => {
    const script = "echo ready; while read -r line; do echo got $line; done";
    const run = await launchForTest(sh(script), { tier, stdin: "first\n", keepStdinOpen: true });
    await run.ready();
    expect(run.writeInput("second\n")).toBe(true);
    run.endInput();
    expect(await run.exited).toMatchObject({ code: 0 });
    expect(run.lines()).toStrictEqual(["ready", "got first", "got second"]);
    expect(run.writeInput("late\n")).toBe(false);
  });
});

describe.each(strong)("a launch in the tier %s, which contains whole trees,", (tier) => {
  it.each(["stay", "leave"] as const)("leaves nothing of the hostile agent running (%s)", async (mode) => {
    const token = newToken();
    const run = await launchForTest(hostileAgent(token, mode), { tier, limits: { graceMs: 20 } });
    await run.ready();
    if (mode === "stay") expect(findByToken(token).length).toBeGreaterThanOrEqual(5);
    const facts = await (mode === "stay" ? run.stop("test") : run.exited);
    expect(findByToken(token)).toStrictEqual([]);
    expect(facts.survivors).toBe(0);
  });

  it("passes on only the three standard descriptors", async () => {
    const run = await launchForTest(["/bin/ls", "/proc/self/fd"], { tier });
    await run.exited;
    // 3 is the folder that `ls` is listing.
    expect(run.lines()).toStrictEqual(["0", "1", "2", "3"]);
  });

  it.runIf(isShielded(tier))("does not let an agent end its own containment", async () => {
    const token = newToken();
    const script = `env -i setsid /bin/sh -c 'sleep 300; : ${token}' & kill -9 $PPID; kill -STOP $PPID; echo still here`;
    const run = await launchForTest(sh(script), { tier });
    const facts = await run.exited;
    expect(run.lines()).toContain("still here");
    expect(facts).toMatchObject({ code: 0, survivors: 0 });
    expect(findByToken(token)).toStrictEqual([]);
  });
});

it.each(strong.filter((tier) => tier !== "subreaper"))(
  "a launcher in the tier %s that is killed from outside leaves nothing running",
  async (tier) => {
    const token = newToken();
    const run = await launchForTest(hostileAgent(token, "stay"), { tier });
    await run.ready();
    process.kill(run.pid, "SIGKILL");
    expect(await run.exited).toMatchObject({ signal: "SIGKILL", reason: "exited", survivors: 0 });
    expect(findByToken(token)).toStrictEqual([]);
  },
);

it.each(strong)("a stop in the tier %s ends the tree even if the launcher does not react", async (tier) => {
  const token = newToken();
  const run = await launchForTest(hostileAgent(token, "stay"), { tier });
  await run.ready();
  process.kill(run.pid, "SIGSTOP");
  expect(await run.stop("test", { graceMs: 0 })).toMatchObject({ reason: "stopped", survivors: 0 });
  expect(findByToken(token)).toStrictEqual([]);
});

it("the process-group tier leaves a survivor, and its report warns of that", async () => {
  const token = newToken();
  const run = await launchForTest(hostileAgent(token, "stay"), {
    tier: "process-group",
    limits: { graceMs: 20 },
  });
  await run.ready();
  await run.stop("test");
  // Nothing leads to the daemon that cleared its environment.
  expect(findByToken(token)).toHaveLength(1);
  expect(report.tiers.find(({ tier }) => tier === "process-group")).toMatchObject({ loud: true });
});

it("a namespace alone contains a tree if Perl is missing", async () => {
  const bare = await probeContainmentWith({ ...report.tools, perl: null });
  expect(bare.tiers.filter((tier) => tier.available).map(({ tier }) => tier)).toStrictEqual([
    "pid-namespace",
    "process-group",
  ]);
  const token = newToken();
  const settings = { limits: { graceMs: 20 } };
  const run = await launchForTest(hostileAgent(token, "stay"), settings, { containment: bare });
  await run.ready();
  const facts = await run.stop("test");
  expect(facts).toMatchObject({ survivors: 0, reason: "stopped" });
  expect(findByToken(token)).toStrictEqual([]);
});

it("the probe falls back to the weakest tier, with reasons, if nothing else works", async () => {
  const nothing = { bubblewrap: null, perl: null, systemdRun: null, systemCalls: null };
  const bare = await probeContainmentWith(nothing);
  expect(bare.best).toMatchObject({ tier: "process-group", loud: true });
  expect(bare.tiers.map(({ tier }) => tier)).toStrictEqual([...containmentTiers]);
  expect(bare.tiers.slice(0, 3).every(({ reason }) => reason.length > 10)).toBe(true);
});

it("the probe chooses the strongest tier on this machine, with a shielded launcher", () => {
  expect(report.best.tier).toBe("pid-namespace");
  expect(available).toContain("subreaper");
  expect(report.best.shielded).toBe(true);
});

it("the launcher is shielded from its agent wherever the kernel allows that", () => {
  const abi = Number(
    execFileSync("/usr/bin/perl", ["-e", "print syscall(444, 0, 0, 1)"], { encoding: "utf8" }),
  );
  const launchers = report.tiers.filter(({ tier, available }) => available && /cgroup|subreaper/.test(tier));
  expect(launchers.map(({ shielded }) => shielded)).toStrictEqual(launchers.map(() => abi >= 6));
});
