import { join } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import { checkChanges, type CheckNotice, type CheckResult } from "../../verification/run-checks.ts";
import { readCheckTrust } from "../checks/check-trust.ts";
import { pickCheckTools, runChecksOnCommit, type CommitChecks } from "../checks/run-on-commit.ts";
import { tellCheck } from "../checks/tell-check.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import type { RunTools } from "../ports/run-tools.ts";
import type { GroupMember } from "./form-group.ts";

type GroupResults = ReadonlyMap<GroupMember, readonly CheckResult[]>;

/**
 * Runs the checks of a group in one fresh checkout of the tree that has all of its work, equal ones once. A failed check
 * is not repeated, because the group is divided then.
 */
export async function runGroupChecks(
  tools: RunTools,
  group: readonly GroupMember[],
  signal: AbortSignal,
): Promise<GroupResults | "stopped"> {
  const request = await buildRequest(tools, group, signal);
  const [first] = group;
  if (request === undefined || first === undefined) return new Map();
  const running = runChecksOnCommit(await pickCheckTools(tools, first.delegation.story), request);
  const results = await running.catch((error: unknown) => {
    // A stop also ends the git command that makes the checkout.
    if (signal.aborted) return [];
    throw error;
  });
  return signal.aborted ? "stopped" : new Map(group.map((member) => [member, pickResults(member, results)]));
}

async function buildRequest(
  tools: RunTools,
  group: readonly GroupMember[],
  signal: AbortSignal,
): Promise<CommitChecks | undefined> {
  const [first, last] = [group[0]?.delegation, group.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { checks } = await tools.settings();
  const { id, attempt, executionId } = first;
  return {
    id,
    commit: last.commit,
    criteria: group.flatMap(({ criteria }) => criteria.filter((one) => !isAboutChanges(one))),
    trust: await readCheckTrust(tools, first),
    changedFiles: group.flatMap(({ changedFiles }) => changedFiles),
    signal,
    logDirectory: join(tools.stateDirectory, "logs", id, `attempt-${attempt}`, "checks"),
    runId: `${executionId}-check-of-${group.length}`,
    checks: { ...checks, retries: 0 },
    // Alone, none of them would have had more time.
    timeoutMs: Math.min(...group.map(({ delegation }) => delegation.timeoutSeconds)) * 1000,
    onCheck: (notice) => tellGroup(tools, group, notice),
    onRun: (run) => noteCheckRun(tools.stateDirectory, first, run),
  };
}

/** The changes of a worker are its own, so nothing is run for them. */
function pickResults(
  { criteria, changedFiles }: GroupMember,
  results: readonly CheckResult[],
): CheckResult[] {
  const own = [...results, ...checkChanges(criteria.filter(isAboutChanges), changedFiles)];
  return criteria.flatMap((one) => own.filter(({ criterion }) => criterion === one));
}

function isAboutChanges({ check }: Criterion): boolean {
  return check !== undefined && "changed" in check;
}

/** Each delegation has the check in its own journal; progress is reported once. */
async function tellGroup(tools: RunTools, group: readonly GroupMember[], notice: CheckNotice): Promise<void> {
  const together = group.map(({ delegation }) => delegation.id);
  const concerned = group
    .map(({ delegation, criteria }) => ({ delegation, criteria: listProven(criteria, notice.command) }))
    .filter(({ criteria }) => criteria.length > 0);
  for (const { delegation, criteria } of notice.kind === "progress" ? concerned.slice(0, 1) : concerned)
    await tellCheck(tools, { delegation, on: "work", together }, { ...notice, criteria });
}

function listProven(criteria: readonly Criterion[], command: string): readonly string[] {
  return criteria
    .filter(
      ({ check }) => check !== undefined && "command" in check && check.command.trim() === command.trim(),
    )
    .map(({ id }) => id);
}
