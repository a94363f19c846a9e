import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { buildCommandLine, usesLauncher } from "../../src/containment/launcher/command-line.ts";
import {
  buildCgroupName,
  createCgroup,
  findCgroup,
  findCgroupMount,
  findOwnCgroup,
  killCgroup,
  parseOwnCgroup,
} from "../../src/containment/launcher/cgroup.ts";
import { parseLauncherFacts } from "../../src/containment/launcher/facts-file.ts";
import { findContainmentTools } from "../../src/containment/launcher/tools.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { tryContainmentTier } from "../../src/containment/launcher/try-tier.ts";

const tools = { ...findContainmentTools(), systemdRun: "/usr/bin/systemd-run" };
const request = {
  tools,
  argv: ["agent", "--flag"],
  cwd: "/work",
  runId: "r1",
  ownerPid: 42,
  environment: { XDG_RUNTIME_DIR: "/the/agents/own" },
  limits: { outputMaxBytes: 1000, memoryMaxBytes: 2000, cpuMaxSeconds: 3 },
} as const;

it("wraps the command in each tier's containment and leaves the command itself unchanged", () => {
  const none = { kind: "none" } as const;
  const line = (tier: "pid-namespace" | "subreaper" | "process-group") =>
    buildCommandLine({ ...request, tier, cgroup: none });
  expect(line("process-group")).toStrictEqual(["agent", "--flag"]);
  expect(line("subreaper").slice(0, 2)).toStrictEqual(["/usr/bin/perl", "-e"]);
  const numbers = expect.stringMatching(/^\d+(,\d+){4}$/);
  const facts = ["--", "42", "r1", "-", "3", String(4 * 1024 ** 3), "1"];
  expect(line("subreaper").slice(3)).toStrictEqual([...facts, numbers, "agent", "--flag"]);
  const namespace = line("pid-namespace");
  const bubblewrap = namespace.slice(namespace.indexOf("/usr/bin/bwrap"));
  const own = [
    "--dev-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--unshare-pid",
    "--die-with-parent",
    "--new-session",
    "--json-status-fd",
    "3",
  ];
  expect(bubblewrap).toStrictEqual(["/usr/bin/bwrap", ...own, "--chdir", "/work", "--", "agent", "--flag"]);
});

it("covers a folder before anything else is mounted, binds entries back and replaces files", () => {
  const cover = {
    folder: "/state",
    mark: "mark",
    writable: ["/state/logs/own"],
    readable: ["/state/shims"],
    files: ["/run/person.sock"],
  };
  const line = buildCommandLine({ ...request, tier: "pid-namespace", cgroup: { kind: "none" }, cover });
  const words = line.slice(line.indexOf("--dev-bind"), line.indexOf("--proc")).join(" ");
  expect(words).toBe(
    "--dev-bind / / --tmpfs /state --dir /state/mark --bind-try /state/logs/own /state/logs/own" +
      " --ro-bind-try /state/shims /state/shims --remount-ro /state --ro-bind-try /dev/null /run/person.sock",
  );
});

it("asks systemd for a scope with the memory limit and hides the bus from the agent", () => {
  const line = buildCommandLine({ ...request, tier: "cgroup", cgroup: { kind: "scope", mount: "/cg" } });
  const unit = ["/usr/bin/systemd-run", "--user", "--scope", "--quiet", "--collect", "-p", "Delegate=yes"];
  const limits = ["-p", "MemoryMax=2000", "--", "/usr/bin/env", "-u", "DBUS_SESSION_BUS_ADDRESS"];
  expect(line.slice(0, line.indexOf("/usr/bin/perl"))).toStrictEqual([...unit, ...limits]);
  expect(line).toContain("own:/cg|ambit-r1");
});

it("uses no launcher without Perl or on an unknown processor", () => {
  expect(usesLauncher("subreaper", tools)).toBe(true);
  expect(usesLauncher("process-group", tools)).toBe(false);
  expect(usesLauncher("pid-namespace", { ...tools, perl: null })).toBe(false);
  expect(usesLauncher("pid-namespace", { ...tools, systemCalls: null })).toBe(false);
});

it("a scope of systemd contains a run, here with a stand-in for systemd-run that only runs its command", async () => {
  const directory = mkdtempSync(join(tmpdir(), "ambit-scope-"));
  const systemdRun = join(directory, "systemd-run");
  writeFileSync(systemdRun, '#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n');
  chmodSync(systemdRun, 0o755);
  const trial = { tools: { ...tools, systemdRun }, directory };
  // A plain folder must not be taken for a cgroup.
  const nowhere = await tryContainmentTier("cgroup", {
    ...trial,
    cgroup: { kind: "scope", mount: directory },
  });
  expect(nowhere).toMatchObject({ kind: "fails", reason: expect.stringContaining("cgroup") });
  const own = findOwnCgroup();
  const { cgroupPlace } = await probeContainment();
  // The stand-in works only where we may create groups.
  if (own.kind === "found" && cgroupPlace.kind === "group") {
    // Other tests may be probing at the same time, or have been killed while they did.
    const before = new Set(readdirSync(own.path));
    const outcome = await tryContainmentTier("cgroup", {
      ...trial,
      cgroup: { kind: "scope", mount: own.mount },
    });
    expect(outcome).toMatchObject({ kind: "works" });
    const left = readdirSync(own.path).filter((name) => !before.has(name));
    expect(left.filter((name) => name.startsWith("ambit-probe"))).toStrictEqual([]);
  }
  rmSync(directory, { recursive: true });
});

it("finds where cgroups are mounted and which one is ours", () => {
  const mounts = [
    "30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw",
    "31 30 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
    "32 30 0:28 / /sys/fs/cgroup/unified rw shared:9 - cgroup2 cgroup2 rw",
  ].join("\n");
  expect(findCgroupMount(mounts)).toBe("/sys/fs/cgroup/unified");
  expect(findCgroupMount("1 1 0:1 /part /mnt rw - cgroup2 x rw")).toBeUndefined();
  expect(parseOwnCgroup("3:pids:/x\n0::/user.slice/app\n")).toBe("/user.slice/app");
  expect(parseOwnCgroup("3:pids:/x\n")).toBeUndefined();
});

it("removes the group of a run if only its name is known", async () => {
  const { cgroupPlace } = await probeContainment();
  if (cgroupPlace.kind !== "group") return;
  const runId = "command-line-test";
  const path = createCgroup(cgroupPlace.path, runId);
  expect(findCgroup(runId)).toBe(path);
  const announced = { runId, uid: process.getuid?.() ?? 0, identity: null, cgroup: null };
  await reapLeftovers([announced]);
  expect(findCgroup(runId)).toBeNull();
});

it("kills only groups that carry the name of the run", () => {
  expect(buildCgroupName("r1")).toBe("ambit-r1");
  expect(killCgroup("/sys/fs/cgroup/user.slice", "r1")).toBe(false);
  expect(killCgroup("/nowhere/ambit-r1", "r1")).toBe(false);
});

it("reads the launcher's facts, even when they are cut short", () => {
  expect(parseLauncherFacts("started 7\nscoped\ncpu 1.25\nexit 1792\nclean\n")).toStrictEqual({
    cpuSeconds: 1.25,
    code: 7,
    signal: null,
    isScoped: true,
    isClean: true,
  });
  expect(parseLauncherFacts("started 7\nexit 11\nleft 2\n")).toMatchObject({
    code: null,
    signal: "SIGSEGV",
    isClean: false,
  });
  expect(parseLauncherFacts("")).toStrictEqual({ isScoped: false, isClean: false });
  expect(parseLauncherFacts("failed exec x: No such file\n")).toMatchObject({
    problem: "exec x: No such file",
  });
});
