/**
 * A supervisor that is stopped for a while, as a laptop lid would do it: npm run test:pause -- --seconds 60
 * It has less time left than the pause takes; it must notice the gap, extend its deadlines, lose no line, and end
 * its agent only when the time it really had is over.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { randomBase36 } from "../../src/base/ids.ts";
import { findByToken } from "../containment/hostile-agent.ts";
import { bundleOwner, type Owner, startOwner } from "../containment/start-owner.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
const pauseMs = Number(values.seconds) * 1000;
const TIMEOUT_MS = 15_000;
const token = `pause-${randomBase36(10)}`;
const directory = mkdtempSync(join(tmpdir(), "ambit-pause-"));
const bundle = await bundleOwner();
try {
  process.exitCode = await main();
} finally {
  bundle.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const owner = startOwner(bundle.path, {
    argv: ["/bin/sh", "-c", `i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done; : ${token}`],
    cwd: "/",
    environment: { PATH: "/usr/bin:/bin" },
    logDirectory: directory,
    runId: token,
    limits: {
      timeoutMs: TIMEOUT_MS,
      softLimit: 0.9,
      graceMs: 100,
      idleWarnMs: TIMEOUT_MS,
      idleStopMs: TIMEOUT_MS,
      outputMaxBytes: 1_000_000,
      memoryMaxBytes: null,
      maxProcesses: null,
      cpuMaxSeconds: null,
    },
  });
  await owner.seen("line-read");
  const stoppedMs = performance.now();
  owner.child.kill("SIGSTOP");
  await delay(pauseMs);
  owner.child.kill("SIGCONT");
  const pausedMs = performance.now() - stoppedMs;
  const gap = await owner.seen("gap-noticed");
  const afterwards = findByToken(token).length;
  const { facts } = await owner.seen("exited");
  const ranMs = facts.durationMs - pausedMs;
  const checks = {
    gapNoticed: Math.abs(gap.extendedMs - pausedMs) < 2000,
    agentAliveAfterwards: afterwards > 0,
    endedByTimeout: facts.reason === "timeout",
    hadItsTime: ranMs > TIMEOUT_MS - 1000 && ranMs < TIMEOUT_MS + 5000,
    noLineLost: hasEveryLine(owner),
    nothingLeft: facts.survivors === 0 && findByToken(token).length === 0,
  };
  const figures = {
    pausedMs: Math.round(pausedMs),
    extendedMs: Math.round(gap.extendedMs),
    ranMs: Math.round(ranMs),
  };
  process.stdout.write(`${JSON.stringify({ ...figures, ...checks }, null, 1)}\n`);
  return Object.values(checks).every(Boolean) ? 0 : 1;
}

function hasEveryLine(owner: Owner): boolean {
  const numbers = owner.lines.flatMap((line) => (line.kind === "line-read" ? [Number(line.text)] : []));
  return numbers.length > 10 && numbers.every((number, index) => number === index + 1);
}
