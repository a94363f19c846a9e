import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { isStillRunning, readIdentity, signalIfSame } from "../../src/containment/process-identity.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { parseRunMark } from "../../src/containment/processes/marked-processes.ts";
import {
  listAncestors,
  listDescendants,
  parseProcessStat,
} from "../../src/containment/process-table/process-table.ts";
import { parsePsTable } from "../../src/containment/process-table/ps-table.ts";

it("knows a process by boot, pid and start time, and signals no other", async () => {
  const child = spawn("/bin/sleep", ["300"], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  const identity = readIdentity(child.pid ?? 0);
  if (identity === undefined) throw new Error("no identity");
  expect(isStillRunning(identity)).toBe(true);
  const strangers = [
    { ...identity, startTime: identity.startTime + 1 },
    { ...identity, bootId: "00000000-0000-0000-0000-000000000000" },
  ];
  expect(strangers.map((stranger) => isStillRunning(stranger))).toStrictEqual([false, false]);
  expect(strangers.map((stranger) => signalIfSame(stranger, "SIGKILL"))).toStrictEqual([false, false]);
  expect(child.exitCode ?? child.signalCode).toBeNull();
  expect(signalIfSame(identity, "SIGKILL")).toBe(true);
  expect(await ended).toBe("SIGKILL");
  expect(isStillRunning(identity)).toBe(false);
  expect(signalIfSame(identity, "SIGKILL")).toBe(false);
});

it("reaps nothing of another boot, another user, or a reused pid", async () => {
  const child = spawn("/bin/sleep", ["300"], { stdio: "ignore", detached: true });
  const identity = readIdentity(child.pid ?? 0);
  if (identity === undefined) throw new Error("no identity");
  const uid = process.getuid?.() ?? 0;
  const record = { runId: "r1", tier: "process-group", uid, identity, cgroup: null } as const;
  const outcomes = await reapLeftovers([
    { ...record, identity: { ...identity, bootId: "another" } },
    { ...record, uid: uid + 1 },
    { ...record, identity: { ...identity, startTime: identity.startTime - 1 } },
  ]);
  expect(outcomes.map(({ status }) => status)).toStrictEqual(["other-boot", "other-user", "nothing-left"]);
  expect(isStillRunning(identity)).toBe(true);
  expect(await reapLeftovers([record])).toMatchObject([{ status: "ended", killed: [identity.pid] }]);
});

it("finds processes by their mark when no record was written", async () => {
  const runId = "mark-test-1";
  const marked = {
    stdio: "ignore",
    detached: true,
    env: { PATH: "/usr/bin:/bin", AMBIT_RUN_ID: runId },
  } as const;
  const child = spawn("/bin/sleep", ["300"], marked);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const announced = { runId, uid: process.getuid?.() ?? 0, identity: null, cgroup: null } as const;
  expect(await reapLeftovers([{ ...announced, runId: "mark-test-2" }])).toMatchObject([
    { status: "nothing-left" },
  ]);
  expect(await reapLeftovers([announced])).toMatchObject([{ status: "ended", killed: [child.pid] }]);
  await ended;
});

it("reads the fields of a process whose name looks like fields", () => {
  const tail = "S 7 8 9 0 -1 0 0 0 0 0 100 50 25 25 20 0 1 0 4711 0 0";
  const entry = { pid: 5, parent: 7, group: 8, session: 9, isZombie: false, startTime: 4711, cpuSeconds: 2 };
  expect(parseProcessStat(5, `5 (a) R 1 1 1 (b) ${tail}\n`)).toStrictEqual(entry);
  expect(parseProcessStat(5, "")).toBeUndefined();
});

it("treats a process as alive while any thread runs", () => {
  const stat = (threads: number): string => `5 (x) Z 7 8 9 0 -1 0 0 0 0 0 0 0 0 0 20 0 ${threads} 0 4711 0 0`;
  expect(parseProcessStat(5, stat(1))?.isZombie).toBe(true);
  expect(parseProcessStat(5, stat(3))?.isZombie).toBe(false);
});

it("finds everything below a process, with its depth, even if the table has a cycle", () => {
  const entry = (pid: number, parent: number) =>
    [pid, { pid, parent, group: pid, session: pid, isZombie: false, startTime: 1, cpuSeconds: 0 }] as const;
  const tree = new Map([entry(1, 0), entry(2, 1), entry(3, 2), entry(4, 1), entry(5, 9)]);
  const depths = listDescendants(tree, 1).map(({ entry: { pid }, depth }) => [pid, depth]);
  expect(depths).toStrictEqual([
    [2, 1],
    [4, 1],
    [3, 2],
  ]);
  const circle = new Map([entry(2, 4), entry(3, 2), entry(4, 3)]);
  expect(listDescendants(circle, 2).map(({ entry: { pid } }) => pid)).toContain(4);
  expect([...listAncestors(circle, 2)]).toStrictEqual([2, 4, 3]);
});

it("finds the mark of a run only as the whole name of a variable", () => {
  expect(parseRunMark(Buffer.from("A=1\0AMBIT_RUN_ID=abc\0B=2\0"))).toBe("abc");
  expect(parseRunMark(Buffer.from("AMBIT_RUN_ID=abc"))).toBe("abc");
  expect(parseRunMark(Buffer.from("NOT_AMBIT_RUN_ID=abc\0X=AMBIT_RUN_ID=no\0"))).toBeUndefined();
  expect(parseRunMark(Buffer.from("MY_AMBIT_RUN_ID=no\0AMBIT_RUN_ID=yes\0"))).toBe("yes");
  expect(parseRunMark(Buffer.alloc(0))).toBeUndefined();
});

it("reads the processes that ps prints, because other systems have no /proc", () => {
  const text = [
    "    1     0     1      0 Ss       0:03.50 Sat Nov 15 05:30:26 2025",
    "  812     1   812      0 Z    1-02:00:01 Sat Nov 15 06:00:00 2025",
    "not a process",
  ].join("\n");
  const table = parsePsTable(text);
  expect([...table.keys()]).toStrictEqual([1, 812]);
  expect(table.get(1)).toMatchObject({ parent: 0, group: 1, isZombie: false, cpuSeconds: 3.5 });
  expect(table.get(812)).toMatchObject({ parent: 1, isZombie: true, cpuSeconds: 86_400 + 7201 });
  expect((table.get(812)?.startTime ?? 0) - (table.get(1)?.startTime ?? 0)).toBe(1_774_000);
});
