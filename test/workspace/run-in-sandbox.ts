import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBase36 } from "../../src/base/ids.ts";
import { launchProcess } from "../../src/containment/launch.ts";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import {
  findSandboxTools,
  probeSandboxWith,
  type SandboxReport,
} from "../../src/containment/probe-sandbox.ts";
import {
  buildSandboxCommand,
  chooseLaunchTier,
  type SandboxCommand,
} from "../../src/containment/sandbox-command.ts";
import type { SandboxClone } from "../../src/workspace/sandbox-clone.ts";

export interface SandboxRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly survivors: number;
}

export interface RunSettings {
  readonly network?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** The sandbox of this machine in the given tier; throws where the machine does not have it. */
export async function sandboxOf(tier: "bubblewrap" | "landlock"): Promise<SandboxReport> {
  const tools = await findSandboxTools();
  const report = await probeSandboxWith(tier === "landlock" ? { ...tools, bubblewrap: null } : tools);
  if (report.tier !== tier) throw new Error(`no ${tier} here: ${report.reason}`);
  return report;
}

/** Runs a command in a worker's sandbox, as the orchestrator would. */
export function runInSandbox(
  sandbox: SandboxReport,
  clone: SandboxClone,
  { argv, network, environment, timeoutMs }: RunSettings & { readonly argv: readonly string[] },
): Promise<SandboxRun> {
  const command = buildSandboxCommand({
    ...sandbox,
    ...clone,
    argv,
    cwd: clone.path,
    environment: { PATH: "/usr/bin:/bin", ...clone.environment, ...environment },
    network: network ?? false,
  });
  return launchAndWait(command, clone.path, timeoutMs);
}

export async function launchAndWait(
  command: SandboxCommand,
  cwd: string,
  timeoutMs = 60_000,
): Promise<SandboxRun> {
  const logDirectory = mkdtempSync(join(tmpdir(), "ambit-sandbox-logs-"));
  const containment = await probeContainment();
  const limits = { timeoutMs, softLimit: 1, graceMs: 0, idleWarnMs: timeoutMs, idleStopMs: timeoutMs };
  const unlimited = { memoryMaxBytes: null, maxProcesses: null, cpuMaxSeconds: null };
  try {
    const contained = await launchProcess(
      {
        ...command,
        cwd,
        logDirectory,
        runId: `probe-${randomBase36(16)}`,
        limits: { ...limits, ...unlimited, outputMaxBytes: 4 * 1024 * 1024 },
        tier: chooseLaunchTier(containment),
        onEvent: () => undefined,
      },
      { containment },
    );
    const { code, survivors } = await contained.exited;
    const read = (name: string): string => readFileSync(join(logDirectory, name), "utf8");
    return { code, survivors, stdout: read("stdout"), stderr: read("stderr") };
  } finally {
    rmSync(logDirectory, { recursive: true, force: true });
  }
}
