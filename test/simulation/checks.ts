import type { Criterion, CriterionCheck } from "../../src/contract/task.ts";
import type { CheckRequest, CheckResult } from "../../src/verification/run-checks.ts";
import type { Files } from "./model-git.ts";
import type { ModelProcesses } from "./model-processes.ts";
import type { Call, World } from "./world.ts";

/** The project's test command: green while all files below `style/` agree. */
export const TEST_COMMAND = "npm test";

export function goalCommand(goal: number): string {
  return `npm run goal-${goal}`;
}

export function goalPath(goal: number): string {
  return `goals/${goal}`;
}

/** What a check finds in a tree: the one definition of truth, for the pipeline's checks and for its judges. */
export function holds(check: CriterionCheck, files: Files, changed: readonly string[]): boolean {
  if ("manual" in check) return false;
  if ("file" in check) return files.has(check.file);
  if ("changed" in check) return changed.includes(check.changed);
  if (check.command === TEST_COMMAND) return styles(files).size <= 1;
  const goal = check.command.split("goal-")[1] ?? "";
  return files.get(`goals/${goal}`)?.startsWith("ok ") === true;
}

function styles(files: Files): ReadonlySet<string> {
  return new Set([...files].filter(([path]) => path.startsWith("style/")).map(([, content]) => content));
}

export interface CheckStage {
  readonly world: World;
  readonly processes: ModelProcesses;
  readonly readFolder: (folder: string) => { readonly files: Files; readonly tree: string };
  /** Told of every check that passed on a tree. */
  readonly passed: (tree: string, check: CriterionCheck) => void;
  /** How long each takes. */
  readonly checkMs: number;
}

const HANG_SHARE = 0.02;

/** Runs checks as processes of their own, one after the other; each may be cut off by a crash, or hang. */
export function checkRunner(
  stage: CheckStage,
  call: Call,
): (request: CheckRequest) => Promise<readonly CheckResult[]> {
  return async (request) => {
    const results: CheckResult[] = [];
    for (const [index, criterion] of request.criteria.entries()) {
      const { check } = criterion;
      if (check === undefined || "manual" in check) continue;
      results.push(await runOne({ stage, call, request }, { criterion, check, number: index + 1 }));
    }
    return results;
  };
}

interface Run {
  readonly stage: CheckStage;
  readonly call: Call;
  readonly request: CheckRequest;
}

interface Planned {
  readonly criterion: Criterion;
  readonly check: CriterionCheck;
  readonly number: number;
}

async function runOne(
  { stage, call, request }: Run,
  { criterion, check, number }: Planned,
): Promise<CheckResult> {
  const runId = `${request.runId}-${number}`;
  const [delegation = "", attempt = ""] = request.logDirectory.split("/logs/")[1]?.split("/attempt-") ?? [];
  const announced = { runId, uid: 0, identity: null, cgroup: null };
  await request.onRun?.(announced);
  const process = await call("check-begins", () =>
    stage.processes.start({ kind: "check", runId, delegation, attempt: Number.parseInt(attempt, 10) }),
  );
  if (stage.checkMs > 0) await hang(stage.world, { ...request, timeoutMs: stage.checkMs });
  if (stage.world.random.chance(HANG_SHARE)) await hang(stage.world, request);
  return call("check-ends", () => {
    const { files, tree } = stage.readFolder(request.folder);
    stage.processes.end(process);
    const isRun = !stage.world.random.chance(HANG_SHARE) && request.signal?.aborted !== true;
    const isPassed = isRun && holds(check, files, request.changedFiles);
    if (isPassed) stage.passed(tree, check);
    const verdict = isPassed ? "passed" : isRun ? "failed" : "unverified";
    const code = isPassed ? null : isRun ? "CHECK_FAILED" : "TIMEOUT";
    return { criterion, verdict, code, evidence: `${verdict} on ${tree.slice(0, 8)}` };
  });
}

/** Until its time is up, or somebody stops it. */
function hang(world: World, { timeoutMs, signal }: CheckRequest): Promise<void> {
  return new Promise((resolve) => {
    const timer = world.time.set({ owner: "runtime", delayMs: timeoutMs, action: resolve });
    const stop = (): void => {
      world.time.clear(timer);
      resolve();
    };
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop);
  });
}
