import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { randomBase36 } from "../base/ids.ts";
import { type CgroupPlace, createCgroup, findOwnCgroup, removeCgroup } from "./launcher/cgroup.ts";
import { type ContainmentTier, containmentTiers } from "./launcher/contained-process.ts";
import { type ContainmentTools, findContainmentTools } from "./launcher/tools.ts";
import { type TrialOutcome, tryContainmentTier } from "./launcher/try-tier.ts";

export interface TierReport {
  readonly tier: ContainmentTier;
  readonly available: boolean;
  /** The reason why the tier works or not, in one line for people. */
  readonly reason: string;
  /** Which processes end with certainty, and which may not. */
  readonly promise: string;
  /** The agent cannot signal its containment; otherwise an agent that kills its launcher can escape. */
  readonly shielded: boolean;
  /** The tier does not guarantee that no process survives, so it must be shown clearly wherever it is used. */
  readonly loud: boolean;
}

export interface ContainmentReport {
  readonly tiers: readonly TierReport[];
  readonly best: TierReport;
  readonly tools: ContainmentTools;
  /** The place where the tier `cgroup` creates its groups: below a folder, or in scopes of systemd. */
  readonly cgroupPlace: CgroupPlace;
}

const PROMISES: Readonly<Record<ContainmentTier, string>> = {
  "pid-namespace": "nothing survives, and the agent cannot see or signal anything outside",
  cgroup: "nothing survives; the kernel ends the whole group at once",
  subreaper: "nothing survives; the launcher ends everything below it",
  "process-group": "processes that leave their group and clear their environment survive",
};
const NO_GROUP: CgroupPlace = { kind: "none" };

let cached: Promise<ContainmentReport> | undefined;

/** Probes the containment tiers of this machine, strongest first; each is tried once, then remembered. */
export function probeContainment(): Promise<ContainmentReport> {
  cached ??= probeContainmentWith(findContainmentTools());
  return cached;
}

/** Probes with other programs; the result is not remembered. */
export async function probeContainmentWith(tools: ContainmentTools): Promise<ContainmentReport> {
  const directory = mkdtempSync(join(getTemporaryFolder(), "ambit-probe-"));
  const machine = { tools, directory };
  try {
    const cgroup = await probeCgroups(machine);
    const last = reportTier("process-group", { works: true, reason: describeGroups(), shielded: false });
    const tiers = [await probeNamespace(machine), cgroup.report, await probeSubreaper(machine), last];
    return { tiers, best: tiers.find((tier) => tier.available) ?? last, tools, cgroupPlace: cgroup.place };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Machine {
  readonly tools: ContainmentTools;
  readonly directory: string;
}

interface Finding {
  readonly works: boolean;
  readonly reason: string;
  readonly shielded: boolean;
}

function reportTier(tier: ContainmentTier, { works, reason, shielded }: Finding): TierReport {
  const loud = tier === containmentTiers.at(-1);
  return { tier, available: works, reason, promise: PROMISES[tier], shielded: works && shielded, loud };
}

function describeGroups(): string {
  return process.platform === "linux" ? "always there" : "always there; unverified on this system";
}

async function probeNamespace(machine: Machine): Promise<TierReport> {
  if (machine.tools.bubblewrap === null) {
    return reportTier(
      "pid-namespace",
      describeFailing(describeMissing("/usr/bin/bwrap", "install the package bubblewrap")),
    );
  }
  const outcome = await tryContainmentTier("pid-namespace", { ...machine, cgroup: NO_GROUP });
  if (outcome.kind === "fails") return reportTier("pid-namespace", describeFailing(outcome.reason));
  const limit = hasLauncher(machine.tools)
    ? ""
    : "; without /usr/bin/perl a kill while it starts may leave it behind";
  return reportTier("pid-namespace", { works: true, reason: `bubblewrap works${limit}`, shielded: true });
}

async function probeSubreaper(machine: Machine): Promise<TierReport> {
  if (!hasLauncher(machine.tools))
    return reportTier("subreaper", describeFailing(describeNoLauncher(machine.tools)));
  const outcome = await tryContainmentTier("subreaper", { ...machine, cgroup: NO_GROUP });
  return reportTier("subreaper", explainFailure(outcome, "the launcher works"));
}

function explainFailure(outcome: TrialOutcome, working: string): Finding {
  if (outcome.kind === "fails") return describeFailing(outcome.reason);
  const limit = outcome.isScoped
    ? ""
    : "; this kernel lets an agent signal its launcher (Linux 6.12 does not)";
  return { works: true, reason: `${working}${limit}`, shielded: outcome.isScoped };
}

interface CgroupFinding {
  readonly place: CgroupPlace;
  readonly report: TierReport;
}

async function probeCgroups(machine: Machine): Promise<CgroupFinding> {
  if (!hasLauncher(machine.tools)) return describeNoCgroup(describeNoLauncher(machine.tools));
  const own = findOwnCgroup();
  const outcome: TrialOutcome =
    own.kind === "none" ? { kind: "fails", reason: own.reason } : await tryOwnCgroup(machine, own.path);
  if (own.kind === "found" && outcome.kind === "works") {
    const report = reportTier("cgroup", explainFailure(outcome, `groups can be made below ${own.path}`));
    return { place: { kind: "group", path: own.path }, report };
  }
  const reason = outcome.kind === "fails" ? outcome.reason : "";
  if (own.kind === "none") return describeNoCgroup(reason);
  if (machine.tools.systemdRun === null) return describeNoCgroup(`${reason}; systemd-run is missing`);
  const place = { kind: "scope", mount: own.mount } as const;
  const scope = await tryContainmentTier("cgroup", { ...machine, cgroup: place });
  if (scope.kind === "fails") return describeNoCgroup(`${reason}; no scope of systemd: ${scope.reason}`);
  const report = reportTier("cgroup", explainFailure(scope, "systemd makes a scope for each"));
  return { place, report };
}

async function tryOwnCgroup(machine: Machine, parent: string): Promise<TrialOutcome> {
  let group: string | undefined;
  try {
    group = createCgroup(parent, `probe-${randomBase36(10)}`);
    return await tryContainmentTier("cgroup", { ...machine, cgroup: { kind: "group", path: group } });
  } catch (error) {
    return { kind: "fails", reason: `no group can be made below ${parent} (${readErrorMessage(error)})` };
  } finally {
    if (group !== undefined) removeCgroup(group);
  }
}

function describeNoCgroup(reason: string): CgroupFinding {
  return { place: NO_GROUP, report: reportTier("cgroup", describeFailing(reason)) };
}

function describeFailing(reason: string): Finding {
  return { works: false, reason, shielded: false };
}

function hasLauncher(tools: ContainmentTools): boolean {
  return tools.perl !== null && tools.systemCalls !== null;
}

function describeNoLauncher(tools: ContainmentTools): string {
  if (tools.perl === null) return describeMissing("/usr/bin/perl", "install the package perl");
  return process.platform === "linux" ? `no launcher for ${process.arch}` : "Linux only";
}

function describeMissing(path: string, advice: string): string {
  return process.platform === "linux" ? `${path} is missing: ${advice}` : "Linux only";
}
