import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readErrorMessage } from "../../base/delegation-error.ts";
import { randomBase36 } from "../../base/ids.ts";
import type { CgroupPlace } from "./cgroup.ts";
import type { ContainmentTier } from "./contained-process.ts";
import type { Ending } from "./run-process.ts";
import { startProcess } from "./start-process.ts";
import type { ContainmentTools } from "./tools.ts";

export interface Trial {
  readonly tools: ContainmentTools;
  readonly directory: string;
  readonly cgroup: CgroupPlace;
}

export type TrialOutcome =
  | { readonly kind: "works"; readonly isScoped: boolean }
  | { readonly kind: "fails"; readonly reason: string };

const TRIAL_MS = 10_000;
/** In its own namespace this is the second process after bubblewrap's, and /proc shows that view. */
const NAMESPACE_TRIAL = 'test "$$" -le 3 && test -d "/proc/$$" && exec sleep 0';

/** Runs a real command in the tier. The tier works if the command succeeds and the launcher sees no process left. */
export async function tryContainmentTier(tier: ContainmentTier, trial: Trial): Promise<TrialOutcome> {
  const path = join(trial.directory, tier);
  const output = openSync(path, "w+", 0o600);
  const input = openSync("/dev/null", "r");
  try {
    const { run, facts } = await startProcess({
      ...trial,
      tier,
      argv: ["/bin/sh", "-c", tier === "pid-namespace" ? NAMESPACE_TRIAL : "exec sleep 0"],
      cwd: trial.directory,
      runId: `probe-${randomBase36(10)}`,
      ownerPid: process.pid,
      environment: { PATH: "/usr/bin:/bin" },
      limits: { outputMaxBytes: 1024 * 1024, memoryMaxBytes: null, cpuMaxSeconds: null },
      stdin: input,
      stdout: output,
      stderr: output,
    });
    const timer = setTimeout(() => run.kill("SIGKILL"), TRIAL_MS);
    const { code } = await new Promise<Ending>((resolve) => run.onceOver(resolve));
    clearTimeout(timer);
    const seen = facts?.read();
    facts?.close();
    if (code === 0 && seen?.isClean !== false) return { kind: "works", isScoped: seen?.isScoped ?? false };
    const reason = seen?.problem ?? (readFirstLine(path) || `the trial ended with code ${String(code)}`);
    return { kind: "fails", reason };
  } catch (error) {
    return { kind: "fails", reason: readErrorMessage(error) };
  } finally {
    closeSync(output);
    closeSync(input);
  }
}

function readFirstLine(path: string): string {
  return readFileSync(path, "utf8").split("\n")[0]?.slice(0, 200) ?? "";
}
