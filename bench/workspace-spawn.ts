import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBase36 } from "../src/base/ids.ts";
import type { ContainmentLimits, ContainmentTier } from "../src/containment/contained-process.ts";
import { launchProcess } from "../src/containment/launch.ts";
import { type ContainmentReport, probeContainment } from "../src/containment/probe-containment.ts";
import { interleave, median, type Result, timed } from "./measure.ts";

const limits: ContainmentLimits = {
  timeoutMs: 60_000,
  softLimit: 1,
  graceMs: 0,
  idleWarnMs: 60_000,
  idleStopMs: 60_000,
  outputMaxBytes: 1_000_000,
  memoryMaxBytes: null,
  maxProcesses: null,
  cpuMaxSeconds: null,
};

/** What it costs to start a worker contained instead of plainly: from the call until its whole tree is known dead. */
export async function spawnTiers(rounds: number): Promise<readonly Result[]> {
  const containment = await probeContainment();
  const folder = mkdtempSync(join(tmpdir(), "ambit-bench-spawn-"));
  const tiers = containment.tiers.filter(({ available }) => available).map(({ tier }) => tier);
  try {
    const times = await interleave(rounds, {
      plain: () => timed(runPlain),
      ...Object.fromEntries(
        tiers.map((tier) => [tier, () => timed(() => runContained(containment, tier, folder))]),
      ),
    });
    const plain = times.get("plain") ?? [];
    return tiers.map((tier) => {
      const contained = times.get(tier) ?? [];
      const added = median(contained.map((ms, round) => ms - (plain[round] ?? Number.NaN)));
      return {
        what: `starting and ending /bin/true: plain spawn / ${tier}`,
        value: `${median(plain).toFixed(1)} ms / ${median(contained).toFixed(1)} ms, ${added.toFixed(1)} ms more`,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runPlain(): Promise<void> {
  await once(spawn("/bin/true", { stdio: "ignore" }), "exit");
}

async function runContained(
  containment: ContainmentReport,
  tier: ContainmentTier,
  folder: string,
): Promise<void> {
  const runId = `bench-${randomBase36(16)}`;
  const contained = await launchProcess(
    {
      argv: ["/bin/true"],
      cwd: "/",
      environment: { PATH: "/usr/bin:/bin" },
      logDirectory: join(folder, runId),
      runId,
      limits,
      tier,
      onEvent: () => undefined,
    },
    { containment },
  );
  const { code } = await contained.exited;
  if (code !== 0) throw new Error(`${tier}: exit code ${String(code)}`);
}
