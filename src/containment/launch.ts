import { closeSync, openSync, statSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { type Clock, systemClock } from "../base/clock.ts";
import { containmentErrors } from "../errors/containment.ts";
import { type CgroupPlace, createCgroup, removeCgroup } from "./launcher/cgroup.ts";
import type {
  ContainedProcess,
  ContainmentTier,
  LaunchSpec,
  ProcessRecord,
} from "./launcher/contained-process.ts";
import { launcherPool } from "./launcher/launcher-pool.ts";
import { type StartedProcess, startProcess } from "./launcher/start-process.ts";
import { openUnnamedInput } from "./launcher/unnamed-file.ts";
import { type ContainmentReport, probeContainment } from "./probe-containment.ts";
import { readIdentity } from "./process-identity.ts";
import { RUN_MARKER } from "./processes/marked-processes.ts";
import { ProcessTree } from "./processes/process-tree.ts";
import { resolveProgram } from "./resolve-program.ts";
import { OutputFiles } from "./watch/output-files.ts";
import { ProcessWatch } from "./watch/process-watch.ts";

const RUN_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface LaunchOptions {
  readonly clock?: Clock;
  readonly containment?: ContainmentReport;
}

/**
 * Starts a command in the strongest containment of this machine and watches it until its whole tree is gone. Refuses in
 * advance a command that cannot be started: a missing program or folder, an unavailable tier.
 */
export async function launchProcess(
  spec: LaunchSpec,
  options: LaunchOptions = {},
): Promise<ContainedProcess> {
  checkLaunchSpec(spec);
  const containment = options.containment ?? (await probeContainment());
  const tier = chooseContainmentTier(containment, spec.tier);
  const output = openOutputFiles(spec);
  const cgroup = prepareCgroup(containment, tier, spec.runId);
  const started = await startContained(spec, { containment, tier, output, cgroup }).catch(
    (error: unknown) => {
      output.close();
      if (cgroup.kind === "group") removeCgroup(cgroup.path);
      throw error;
    },
  );
  try {
    const record = buildProcessRecord(spec, {
      tier,
      pid: started.run.pid,
      cgroup: cgroup.kind === "group" ? cgroup.path : null,
    });
    return attendProcess(spec, { started, record, output, clock: options.clock ?? systemClock });
  } catch (error) {
    abandonProcess(started);
    throw error;
  }
}

/** Ends the launchers that wait for the next runs. */
export function endWaitingLaunchers(): void {
  launcherPool.end();
}

/** Refuses in advance a command that cannot be started. */
function checkLaunchSpec(spec: LaunchSpec): void {
  // The kernel ties a process's death signal to the thread that started it.
  if (!isMainThread) throw containmentErrors.notOnMainThread();
  if (!RUN_ID.test(spec.runId)) throw containmentErrors.invalidRunId(spec.runId);
  const program = spec.argv[0] ?? "";
  if (resolveProgram(program, spec.environment, spec.cwd) === undefined)
    throw containmentErrors.programMissing(program);
  if (statSync(spec.cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw containmentErrors.folderMissing(spec.cwd);
}

function chooseContainmentTier(
  containment: ContainmentReport,
  forced: ContainmentTier | undefined,
): ContainmentTier {
  if (forced === undefined) return containment.best.tier;
  const report = containment.tiers.find(({ tier }) => tier === forced);
  if (report?.available === true) return forced;
  throw containmentErrors.tierUnavailable(forced, report?.reason ?? "unknown tier", containment.best.tier);
}

function openOutputFiles(spec: LaunchSpec): OutputFiles {
  try {
    return new OutputFiles(spec.logDirectory);
  } catch (error) {
    throw containmentErrors.logsUnwritable(spec.logDirectory, error);
  }
}

function prepareCgroup(containment: ContainmentReport, tier: ContainmentTier, runId: string): CgroupPlace {
  const place = containment.cgroupPlace;
  if (tier !== "cgroup") return { kind: "none" };
  return place.kind === "group" ? { kind: "group", path: createCgroup(place.path, runId) } : place;
}

interface StartParts {
  readonly containment: ContainmentReport;
  readonly tier: ContainmentTier;
  readonly output: OutputFiles;
  readonly cgroup: CgroupPlace;
}

async function startContained(spec: LaunchSpec, parts: StartParts): Promise<StartedProcess> {
  const stdin = spec.keepStdinOpen === true ? "pipe" : openInputFile(spec);
  const close = (): void => {
    if (stdin !== "pipe") closeSync(stdin);
  };
  try {
    const started = await startProcess({
      tier: parts.tier,
      tools: parts.containment.tools,
      argv: spec.argv,
      cwd: spec.cwd,
      runId: spec.runId,
      ownerPid: process.pid,
      environment: { ...spec.environment, [RUN_MARKER]: spec.runId },
      limits: spec.limits,
      cgroup: parts.cgroup,
      cover: spec.cover,
      shown: spec.shown,
      ownNetwork: spec.ownNetwork,
      stdin,
      stdout: parts.output.getDescriptor("stdout"),
      stderr: parts.output.getDescriptor("stderr"),
      directory: spec.logDirectory,
      mayWait: true,
    });
    if (started.needsOurFiles) started.run.onceOver(close);
    else close();
    return started;
  } catch (error) {
    close();
    throw error;
  }
}

/** The input is an unnamed file: the agent reads at its own pace, even without us. */
function openInputFile(spec: LaunchSpec): number {
  if (spec.stdin === undefined) return openSync("/dev/null", "r");
  try {
    return openUnnamedInput(spec.logDirectory, spec.stdin);
  } catch (error) {
    throw containmentErrors.logsUnwritable(spec.logDirectory, error);
  }
}

function buildProcessRecord(
  spec: LaunchSpec,
  facts: { readonly tier: ContainmentTier; readonly pid: number; readonly cgroup: string | null },
): ProcessRecord {
  // The process is our own child and not yet reaped, so it can be read even if it has already ended.
  const identity = readIdentity(facts.pid);
  if (identity === undefined) throw containmentErrors.processUnreadable(facts.pid);
  return {
    runId: spec.runId,
    tier: facts.tier,
    uid: process.getuid?.() ?? 0,
    identity,
    cgroup: facts.cgroup,
  };
}

interface Attended {
  readonly started: StartedProcess;
  readonly record: ProcessRecord;
  readonly output: OutputFiles;
  readonly clock: Clock;
}

function attendProcess(spec: LaunchSpec, { started, record, output, clock }: Attended): ContainedProcess {
  const { run, facts, input } = started;
  const tree = new ProcessTree({ run, record, readFacts: facts === null ? undefined : () => facts.read() });
  const watch = new ProcessWatch({ spec, clock, run, tree, output, facts });
  // The agent may end before it has read everything.
  input?.on("error", () => undefined);
  if (spec.stdin !== undefined) input?.write(spec.stdin);
  return {
    pid: run.pid,
    identity: record.identity,
    tier: record.tier,
    record,
    windDown: () => watch.windDown("caller"),
    stop: (note, { graceMs = spec.limits.graceMs } = {}) => {
      watch.endTree("stopped", graceMs, note);
      return watch.exited;
    },
    writeInput: (text) => {
      if (input === null || !input.writable) return false;
      input.write(text);
      return true;
    },
    endInput: () => {
      input?.end();
    },
    exited: watch.exited,
  };
}

/** Something failed between start and watch. The process would run unwatched, so it is ended. */
function abandonProcess({ run, facts }: StartedProcess): void {
  if (facts === null) process.kill(-run.pid, "SIGKILL");
  else run.kill("SIGTERM");
}
