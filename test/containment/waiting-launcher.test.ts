import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import { endWaitingLaunchers } from "../../src/containment/launch.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { reapLeftovers } from "../../src/containment/reap-leftovers.ts";
import { usesLauncher } from "../../src/containment/launcher/command-line.ts";
import { launcherPool } from "../../src/containment/launcher/launcher-pool.ts";
import { findContainmentTools, joinCallNumbers } from "../../src/containment/launcher/tools.ts";
import { launchForTest, newToken, sh, WIDE } from "./launch-for-test.ts";
import { bundleOwner, startOwner } from "./start-owner.ts";

const report = await probeContainment();
const { tier } = report.best;

let bundle: Awaited<ReturnType<typeof bundleOwner>>;
let directory: string;
beforeAll(async () => {
  bundle = await bundleOwner();
  directory = realpathSync(mkdtempSync(join(tmpdir(), "ambit-waiting-")));
});
afterAll(() => {
  endWaitingLaunchers();
  bundle.remove();
  rmSync(directory, { recursive: true, force: true });
});

/** The launchers of a process that wait for a run. */
function listWaiting(owner: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
        const name = readFileSync(`/proc/${pid}/cmdline`, "latin1");
        return Number(parent) === owner && name.startsWith("ambit-launcher waiting");
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Our descriptors of files that have no name any more. */
function listUnnamed(): readonly string[] {
  const names = readdirSync("/proc/self/fd").map((name) => `/proc/self/fd/${name}`);
  return names.filter((name) => existsSync(name) && readlinkSync(name).endsWith(" (deleted)"));
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(10);
}

/** Runs a command to its end, which comes when a launcher that was started ahead waits. */
async function runUntilOneWaits(script: string, settings: Parameters<typeof launchForTest>[1] = {}) {
  const run = await launchForTest(sh(`while [ ! -e end ]; do sleep 0.01; done; ${script}`), settings);
  await until(() => listWaiting(process.pid).length > 0);
  writeFileSync(join(run.directory, "end"), "");
  return { run, facts: await run.exited };
}

async function keepOnly(kept: number): Promise<void> {
  for (const pid of listWaiting(process.pid)) if (pid !== kept) process.kill(pid, "SIGKILL");
  await until(() => listWaiting(process.pid).join() === String(kept));
}

/** Returns the pid of the only launcher that waits. */
async function prepareNext(): Promise<number> {
  endWaitingLaunchers();
  await until(() => listWaiting(process.pid).length === 0);
  await runUntilOneWaits("true");
  const [pid = 0] = listWaiting(process.pid);
  await keepOnly(pid);
  return pid;
}

function describeRun(script: string) {
  return {
    argv: sh(script),
    cwd: directory,
    environment: { PATH: "/usr/bin:/bin", TOKEN: newToken() },
    logDirectory: join(directory, "logs"),
    runId: `test-${randomBase36(16)}`,
    limits: WIDE,
  };
}

/** In the tiers where an agent could reach its launcher, that launcher ends with its run. */
const canWaitAgain = tier === "pid-namespace";

describe("a launcher that waits", () => {
  it("is available on this machine", () => expect(usesLauncher(tier, report.tools)).toBe(true));

  it("runs the next command with its input, folder, arguments and variables, whatever they contain", async () => {
    const waiting = await prepareNext();
    const cwd = join(directory, "a folder\nof 'two' lines ü");
    mkdirSync(cwd);
    const environment = { PATH: "/usr/bin:/bin", ODD: "=a=\n$HOME `x` é", EMPTY: "" };
    const script =
      'pwd; printf "%s|" "$@"; printf "[%s][%s]" "$ODD" "${EMPTY-unset}"; cat; echo bad >&2; exit 9';
    const run = await launchForTest([...sh(script), "x", "two words", "", "end", "wait"], {
      cwd,
      environment,
      stdin: "typed\n",
    });
    expect(run.pid).toBe(waiting);
    const facts = await run.exited;
    expect(facts).toMatchObject({ code: 9, reason: "exited", survivors: 0 });
    const output = readFileSync(join(run.directory, "logs/stdout"), "utf8");
    expect(output).toBe(`${cwd}\ntwo words||end|wait|[=a=\n$HOME \`x\` é][]typed\n`);
    expect(readFileSync(join(run.directory, "logs/stderr"), "utf8")).toBe("bad\n");
  });

  it("is not used for a text with a zero, which would become a word of its own", async () => {
    const waiting = await prepareNext();
    const words = ["/bin/sh", "-c", "true", "x\0LD_PRELOAD=/tmp/x.so\0end"];
    const before = listUnnamed();
    await expect(launchForTest(words, { cwd: directory })).rejects.toThrow(/null bytes/);
    expect(listUnnamed()).toStrictEqual(before);
    expect(listWaiting(process.pid)).toEqual([waiting]);
  });

  it("gives the command no variable or open file of its own", async () => {
    await prepareNext();
    const run = await launchForTest(sh("env | grep -v PWD=; ls -l /proc/self/fd | wc -l"), {
      environment: { PATH: "/usr/bin:/bin" },
    });
    await run.exited;
    const lines = run.lines().filter((line) => !/^(?:_|SHLVL|OLDPWD)=/.test(line));
    // The line "total", the three streams and the folder that ls reads.
    expect(lines.toSorted()).toStrictEqual(
      ["5", `AMBIT_RUN_ID=${run.runId}`, "PATH=/usr/bin:/bin"].toSorted(),
    );
  });

  it.runIf(canWaitAgain)("waits again after its run, with nothing of that run", async () => {
    const waiting = await prepareNext();
    const opened = readdirSync(`/proc/${waiting}/fd`);
    const environment = { PATH: "/usr/bin:/bin", SECRET: newToken() };
    const burn = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done";
    const first = await runUntilOneWaits(`sleep 5 & ${burn}; exit 3`, { environment, stdin: "x" });
    expect(first.run.pid).toBe(waiting);
    expect(first.facts).toMatchObject({ code: 3, survivors: 0 });
    await keepOnly(waiting);
    const files = ["0", "1", "2"].map((name) => readlinkSync(`/proc/${waiting}/fd/${name}`));
    expect(files).toStrictEqual(["/dev/null", "/dev/null", "/dev/null"]);
    expect(readdirSync(`/proc/${waiting}/fd`)).toStrictEqual(opened);
    expect(readlinkSync(`/proc/${waiting}/cwd`)).toBe("/");
    const second = await launchForTest(sh('printf "[%s]" "${SECRET-unset}"; exit 4'));
    expect(second.pid).toBe(waiting);
    const { code, usage } = await second.exited;
    expect(code).toBe(4);
    expect(second.lines()).toStrictEqual(["[unset]"]);
    expect(usage?.cpuSeconds).toBeLessThan(first.facts.usage?.cpuSeconds ?? 0);
  });

  it.runIf(canWaitAgain)(
    "does not count the CPU time of its last run towards the limit of the next",
    async () => {
      const waiting = await prepareNext();
      const limits = { cpuMaxSeconds: 1 };
      const burn = "perl -e 'do { ($user, $system) = times } while $user + $system < 0.6'";
      const pids: number[] = [];
      for (const _ of [1, 2]) {
        const { run, facts } = await runUntilOneWaits(burn, { limits });
        pids.push(run.pid);
        expect(facts).toMatchObject({ code: 0, reason: "exited" });
        expect(facts.usage?.cpuSeconds).toBeLessThan(1);
        await keepOnly(waiting);
      }
      expect(pids).toStrictEqual([waiting, waiting]);
    },
  );

  it.runIf(canWaitAgain)(
    "ends with a run whose facts it could not write, so that its exit tells them",
    async () => {
      await prepareNext();
      const none = openSync("/dev/null", "r+");
      const full = openSync("/dev/full", "r+");
      const { perl, systemCalls } = findContainmentTools();
      if (perl === null || systemCalls === null) throw new Error("this machine has no launcher");
      const label = `test-${randomBase36(16)}`;
      const facts = [String(process.pid), label, "-", "0", "0", "0", joinCallNumbers(systemCalls)];
      const run = launcherPool.startRun(
        {
          words: [...facts, ...sh("exit 3")],
          cwd: "/",
          environment: {},
          files: { stdin: none, stdout: none, stderr: none, facts: full },
          mayWaitAgain: true,
        },
        { perl, systemCalls },
      );
      const ending = await new Promise((resolve) => run?.onceOver(resolve));
      for (const descriptor of [none, full]) closeSync(descriptor);
      expect(ending).toStrictEqual({ code: 3, signal: null });
    },
  );

  it.runIf(canWaitAgain)("is not ended for a run of which it has left nothing", async () => {
    const waiting = await prepareNext();
    const first = await runUntilOneWaits("true");
    await keepOnly(waiting);
    const second = await launchForTest(sh("read -r word; echo $word"), { stdin: "done\n" });
    expect([first.run.pid, second.pid]).toStrictEqual([waiting, waiting]);
    expect(await reapLeftovers([first.run.record])).toMatchObject([{ status: "nothing-left", killed: [] }]);
    expect(await second.exited).toMatchObject({ code: 0, signal: null });
    expect(second.lines()).toStrictEqual(["done"]);
  });

  it.runIf(canWaitAgain)(
    "serves as many runs at once as there are, and one of them goes on waiting",
    async () => {
      await prepareNext();
      const runs = await Promise.all(
        Array.from({ length: 4 }, () => launchForTest(sh("sleep 0.2; echo fine"))),
      );
      expect(new Set(runs.map(({ pid }) => pid)).size).toBe(4);
      await Promise.all(runs.map(({ exited }) => exited));
      expect(runs.map((run) => run.lines())).toStrictEqual(runs.map(() => ["fine"]));
      await until(() => listWaiting(process.pid).length >= 4);
      const again = await launchForTest(sh("true"));
      expect(runs.map(({ pid }) => pid)).toContain(again.pid);
      await again.exited;
      await until(() => listWaiting(process.pid).length === 1);
    },
  );

  it("stops its tree as any other launcher does", async () => {
    const waiting = await prepareNext();
    const run = await launchForTest(sh("trap '' TERM; echo ready; while :; do sleep 1; done"));
    expect(run.pid).toBe(waiting);
    await run.ready();
    expect(await run.stop("test")).toMatchObject({ reason: "stopped", survivors: 0 });
    await until(() => !listWaiting(process.pid).includes(waiting));
  });

  it("is not used for an agent whose input stays open", async () => {
    const waiting = await prepareNext();
    const run = await launchForTest(["/bin/cat"], { keepStdinOpen: true });
    expect(run.pid).not.toBe(waiting);
    run.writeInput("spoken\n");
    run.endInput();
    await run.exited;
    expect(run.lines()).toStrictEqual(["spoken"]);
  });

  it("does not keep the next command from running after it was killed", async () => {
    process.kill(await prepareNext(), "SIGKILL");
    await until(() => listWaiting(process.pid).length === 0);
    const run = await launchForTest(sh("echo fine"));
    await run.exited;
    expect(run.lines()).toStrictEqual(["fine"]);
  });

  it("ends when it is no longer needed", async () => {
    await prepareNext();
    endWaitingLaunchers();
    await until(() => listWaiting(process.pid).length === 0);
  });

  it("is not started ahead by an owner that has no descriptor left, which goes on", async () => {
    const few = ["/usr/bin/prlimit", "--nofile=128"];
    const request = describeRun("echo ready; sleep 0.5; echo done; sleep 0.2");
    const owner = startOwner(bundle.path, { ...request, opensAllAtReady: true }, few);
    expect((await owner.seen("exited")).facts).toMatchObject({ code: 0, reason: "exited" });
  });

  it("ends with its owner, even if the owner is killed", async () => {
    const owner = startOwner(bundle.path, describeRun("echo ready; exec sleep 600"));
    const pid = owner.child.pid ?? 0;
    await owner.seen("line-read");
    await until(() => listWaiting(pid).length === 1);
    const [waiting = 0] = listWaiting(pid);
    owner.child.kill("SIGKILL");
    await until(() => {
      try {
        return !readFileSync(`/proc/${waiting}/cmdline`, "latin1").startsWith("ambit-launcher");
      } catch {
        return true;
      }
    });
  });
});
