import { join } from "node:path";
import { type Clock, systemClock } from "../base/clock.ts";
import type { AnnouncedRun, ProcessRecord } from "../containment/contained-process.ts";
import type { Criterion, CriterionCheck } from "../contract/task.ts";
import { makeCheckKey } from "./criteria/check-key.ts";
import type { CheckFinding, CheckResult } from "./criteria/check-result.ts";
import { checkChanged } from "./checks/changed.ts";
import { checkCommand, type CheckLimits, type CheckProgress, type PlacedCommand } from "./checks/command.ts";
import { checkFile } from "./checks/file.ts";
import { readOutputEnd } from "./checks/output-tail.ts";

export type { CheckResult } from "./criteria/check-result.ts";
export type { CheckLimits, PlacedCommand } from "./checks/command.ts";
export { readNewestLine } from "./checks/output-tail.ts";
export { readOutputEnd };

/** A command that ended with a failure. */
export interface FailedCommand {
  readonly command: string;
  readonly output: string;
}

export interface CheckRequest {
  readonly criteria: readonly Criterion[];
  /** A fresh checkout of the candidate tree; commands may write to it, so it is thrown away afterwards. */
  readonly folder: string;
  /** The complete environment; only the mark of the run is added to it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Relative to the folder, as git lists them. */
  readonly changedFiles: readonly string[];
  /** Gets one folder per command, named after its run id. */
  readonly logDirectory: string;
  /** Commands run as `<runId>-1`, `<runId>-2`, … in the order of the criteria, the same after a crash. */
  readonly runId: string;
  /** For all checks together. */
  readonly timeoutMs: number;
  /** For each command. */
  readonly limits?: Partial<CheckLimits>;
  /** Puts a sandbox around a command. */
  readonly place?: (command: PlacedCommand) => Promise<PlacedCommand>;
  readonly signal?: AbortSignal;
  /** Called before a command starts, and again with its process identity, so that recovery can find it after a crash. */
  readonly onRun?: (run: AnnouncedRun | ProcessRecord) => void | Promise<void>;
  /** Asked about a command that ended with a failure: what else may explain it? */
  readonly explain?: (failure: FailedCommand) => Promise<readonly string[]>;
  /** Told when a command begins, while it runs and when it has ended; the check waits for the answer. */
  readonly onCheck?: (notice: CheckNotice) => void | Promise<void>;
  readonly clock?: Clock;
}

/** A step in the run of one command. */
export type CheckNotice = {
  readonly command: string;
  /** The criteria that it proves. */
  readonly criteria: readonly string[];
} & (
  | { readonly kind: "started"; readonly log: string }
  | ({ readonly kind: "progress" } & CheckProgress)
  | { readonly kind: "ended"; readonly finding: CheckFinding }
);

/** A command whose processes all sleep for this long waits for something that does not come. Slow tests may wait minutes. */
const MAX_STALL_MS = 300_000;

const defaultLimits: CheckLimits = {
  stallMs: MAX_STALL_MS,
  timeoutMs: 600_000,
  graceMs: 2000,
  outputMaxBytes: 16 * 1024 * 1024,
  memoryMaxBytes: null,
  maxProcesses: 1000,
  cpuMaxSeconds: null,
};

/**
 * Proves criteria by the content of the folder and by commands that run in it. Checks share the folder, so they run one
 * after the other: files and changes first, before a command can touch them. All of them run, even after a failure. Equal
 * checks run once and count for every criterion that has them. Criteria without a check get no result.
 */
export async function runChecks(request: CheckRequest): Promise<readonly CheckResult[]> {
  const clock = request.clock ?? systemClock;
  const endMs = clock.monotonicMs() + request.timeoutMs;
  const findings = new Map<string, CheckFinding>();
  for (const planned of planChecks(request.criteria)) {
    const leftMs = endMs - clock.monotonicMs();
    findings.set(planned.key, await runPlannedCheck(request, planned, leftMs));
  }
  return request.criteria.flatMap((criterion) => {
    const found = findings.get(makeCheckKey(criterion.check) ?? "");
    return found === undefined ? [] : [{ criterion, ...found }];
  });
}

/** Looks at what was changed alone; other criteria get no result. */
export function checkChanges(
  criteria: readonly Criterion[],
  changedFiles: readonly string[],
): readonly CheckResult[] {
  return criteria.flatMap((criterion) => {
    const { check } = criterion;
    if (check === undefined || !("changed" in check)) return [];
    return [{ criterion, ...checkChanged(check.changed, changedFiles) }];
  });
}

type CommandCheck = Extract<CriterionCheck, { readonly command: string }>;

interface PlannedCheck {
  readonly key: string;
  readonly check: CriterionCheck;
  /** Counts commands from 1 in the order of the criteria. */
  readonly number: number;
}

function planChecks(criteria: readonly Criterion[]): readonly PlannedCheck[] {
  const planned = new Map<string, PlannedCheck>();
  let commands = 0;
  for (const { check } of criteria) {
    const key = makeCheckKey(check);
    if (check === undefined || key === undefined || planned.has(key)) continue;
    if ("command" in check) commands += 1;
    planned.set(key, { key, check, number: commands });
  }
  const isCommandCheck = ({ check }: PlannedCheck): boolean => "command" in check;
  const all = [...planned.values()];
  return [...all.filter((one) => !isCommandCheck(one)), ...all.filter(isCommandCheck)];
}

async function runPlannedCheck(
  request: CheckRequest,
  planned: PlannedCheck,
  leftMs: number,
): Promise<CheckFinding> {
  const { check } = planned;
  if (request.signal?.aborted === true)
    return reportNotRun("CHECK_STOPPED", "The checks were stopped on request before this one.");
  if ("file" in check) return checkFile(check.file, request.folder);
  if ("changed" in check) return checkChanged(check.changed, request.changedFiles);
  if ("manual" in check) return reportNotRun("CHECK_NOT_RUN", "No program can check it.");
  if (leftMs <= 0) {
    const seconds = Math.round(request.timeoutMs / 1000);
    return reportNotRun("TIMEOUT", `Not run: the ${seconds} s for all checks were used up before this one.`);
  }
  return runCommandCheck(request, { ...planned, check }, leftMs);
}

async function runCommandCheck(
  request: CheckRequest,
  { check, key, number }: PlannedCheck & { readonly check: CommandCheck },
  leftMs: number,
): Promise<CheckFinding> {
  const runId = `${request.runId}-${number}`;
  const logDirectory = join(request.logDirectory, runId);
  const criteria = request.criteria.filter((one) => makeCheckKey(one.check) === key).map(({ id }) => id);
  const about = { command: check.command, criteria };
  const limits = { ...defaultLimits, ...request.limits };
  const timeoutMs = check.timeoutSeconds === undefined ? limits.timeoutMs : check.timeoutSeconds * 1000;
  await request.onCheck?.({ kind: "started", ...about, log: join(logDirectory, "stdout") });
  const found = await checkCommand({
    command: check.command,
    folder: request.folder,
    environment: request.environment,
    place: request.place ?? ((command) => Promise.resolve(command)),
    logDirectory,
    runId,
    limits: { ...limits, timeoutMs },
    leftMs,
    signal: request.signal,
    onRun: request.onRun ?? (() => undefined),
    onProgress: (progress) => void request.onCheck?.({ kind: "progress", ...about, ...progress }),
    clock: request.clock ?? systemClock,
  });
  const finding = await addHints(found, check.command, request.explain);
  await request.onCheck?.({ kind: "ended", ...about, finding });
  return finding;
}

async function addHints(
  finding: CheckFinding,
  command: string,
  explain: CheckRequest["explain"],
): Promise<CheckFinding> {
  const log = finding.proof?.kind === "command" ? finding.proof.log : null;
  if (explain === undefined || finding.code !== "CHECK_FAILED" || log === null) return finding;
  // The verdict does not depend on them, so trouble in finding them changes nothing.
  const hints = await explain({ command, output: readOutputEnd(log) }).catch(() => []);
  if (hints.length === 0) return finding;
  const [first = "", ...rest] = finding.evidence.split("\n");
  return { ...finding, hints, evidence: [first, ...hints, ...rest].join("\n") };
}

function reportNotRun(code: CheckFinding["code"], evidence: string): CheckFinding {
  return { verdict: "unverified", code, evidence };
}
