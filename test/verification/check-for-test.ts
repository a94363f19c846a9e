import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { randomBase36 } from "../../src/base/ids.ts";
import type { Criterion, CriterionCheck } from "../../src/contract/task.ts";
import {
  type CheckLimits,
  type CheckRequest,
  type CheckResult,
  runChecks,
} from "../../src/verification/run-checks.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface Checkout {
  readonly folder: string;
  readonly logs: string;
}

export function makeCheckout(): Checkout {
  const root = mkdtempSync(join(tmpdir(), "ambit-checks-"));
  folders.push(root);
  const folder = join(root, "candidate");
  mkdirSync(folder);
  return { folder, logs: join(root, "logs") };
}

export function criterion(check: CriterionCheck, id = "c1"): Criterion {
  return { id, text: "as it says", required: true, check, verdict: "unverified" };
}

type Settings = Partial<Omit<CheckRequest, "criteria" | "limits">> & {
  readonly limits?: Partial<CheckLimits>;
};

/** Runs checks with a grace as short as tests like it. */
export function check(
  { folder, logs }: Checkout,
  criteria: readonly Criterion[],
  { limits, ...settings }: Settings = {},
): Promise<readonly CheckResult[]> {
  return runChecks({
    criteria,
    folder,
    environment: { PATH: "/usr/bin:/bin" },
    changedFiles: [],
    logDirectory: logs,
    runId: `test-${randomBase36(16)}`,
    timeoutMs: 60_000,
    ...settings,
    limits: { graceMs: 100, ...limits },
  });
}

export async function checkOne(
  checkout: Checkout,
  command: string,
  settings: Settings = {},
): Promise<CheckResult> {
  const [result] = await check(checkout, [criterion({ command })], settings);
  if (result === undefined) throw new Error("no result");
  return result;
}
