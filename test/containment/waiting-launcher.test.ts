import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import { endWaitingLauncher } from "../../src/containment/launch.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { usesLauncher } from "../../src/containment/launcher/command-line.ts";
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
  endWaitingLauncher();
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

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(10);
}

/** Launches a command, after which a launcher waits for the next one, and returns the pid of that launcher. */
async function prepareNext(): Promise<number> {
  const first = await launchForTest(sh("true"));
  await first.exited;
  await until(() => listWaiting(process.pid).length === 1);
  return listWaiting(process.pid)[0] ?? 0;
}

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
    await expect(launchForTest(words, { cwd: directory })).rejects.toThrow(/null bytes/);
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

  it("stops its tree as any other launcher does", async () => {
    const waiting = await prepareNext();
    const run = await launchForTest(sh("trap '' TERM; echo ready; while :; do sleep 1; done"));
    expect(run.pid).toBe(waiting);
    await run.ready();
    expect(await run.stop("test")).toMatchObject({ reason: "stopped", survivors: 0 });
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
    endWaitingLauncher();
    await until(() => listWaiting(process.pid).length === 0);
  });

  it("ends with its owner, even if the owner is killed", async () => {
    const owner = startOwner(bundle.path, {
      argv: sh("echo ready; exec sleep 600"),
      cwd: directory,
      environment: { PATH: "/usr/bin:/bin", TOKEN: newToken() },
      logDirectory: join(directory, "logs"),
      runId: `test-${randomBase36(16)}`,
      limits: WIDE,
    });
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
