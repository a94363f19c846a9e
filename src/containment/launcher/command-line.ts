import { type CgroupPlace, buildCgroupName } from "./cgroup.ts";
import type { ContainmentLimits, ContainmentTier, OwnNetwork } from "./contained-process.ts";
import { buildFileView, buildHostsMount, type FileView, findInView } from "./file-view.ts";
import { LAUNCHER_SCRIPT } from "./launcher-script.ts";
import { type ContainmentTools, joinCallNumbers } from "./tools.ts";

export interface CommandLineRequest extends FileView {
  readonly tier: ContainmentTier;
  readonly tools: ContainmentTools;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly runId: string;
  readonly ownerPid: number;
  /** The agent's complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: Pick<
    ContainmentLimits,
    "outputMaxBytes" | "memoryMaxBytes" | "cpuMaxSeconds" | "fileMaxBytes"
  >;
  readonly cgroup: CgroupPlace;
  readonly ownNetwork?: OwnNetwork | undefined;
}

/** How systemd-run finds the user's manager. */
export const userBusNames: readonly string[] = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"];

/** Files below this size are ordinary work: packs, build products, databases. */
const MIN_FILE_LIMIT = 4 * 1024 ** 3;

/** Builds the command that is executed in a tier. Descriptor 3 must be open for writing if `usesLauncher` says so. */
export function buildCommandLine(request: CommandLineRequest): readonly string[] {
  switch (request.tier) {
    case "pid-namespace":
      return [...buildLauncher(request), ...buildBubblewrap(request), ...request.argv];
    case "cgroup":
      return [...buildSystemdScope(request), ...buildLauncher(request), ...request.argv];
    case "subreaper":
      return [...buildLauncher(request), ...request.argv];
    case "process-group":
      return request.argv;
  }
}

/** A namespace holds without a launcher, but with one it also holds while bubblewrap is still starting. */
export function usesLauncher(tier: ContainmentTier, tools: ContainmentTools): boolean {
  return tier !== "process-group" && tools.perl !== null && tools.systemCalls !== null;
}

function buildLauncher(request: CommandLineRequest): readonly string[] {
  const { tools, limits, runId } = request;
  if (tools.perl === null || tools.systemCalls === null) return [];
  const fileBytes = limits.fileMaxBytes === undefined ? defaultFileLimit(limits) : (limits.fileMaxBytes ?? 0);
  return [
    tools.perl,
    "-e",
    LAUNCHER_SCRIPT,
    "--",
    String(request.ownerPid),
    runId,
    groupArgument(request),
    String(limits.cpuMaxSeconds ?? 0),
    String(fileBytes),
    // Inside a PID namespace there is no process outside to signal.
    request.tier === "pid-namespace" ? "0" : "1",
    joinCallNumbers(tools.systemCalls),
  ];
}

function groupArgument({ cgroup, runId }: CommandLineRequest): string {
  if (cgroup.kind === "scope") return `own:${cgroup.mount}|${buildCgroupName(runId)}`;
  return cgroup.kind === "group" ? cgroup.path : "-";
}

function defaultFileLimit(limits: CommandLineRequest["limits"]): number {
  return Math.max(MIN_FILE_LIMIT, limits.outputMaxBytes);
}

/**
 * Shows the whole file system except covered parts, shows the workspace also at the project's own path, and has its own
 * view of processes. Restricting files further is the sandbox's task.
 */
function buildBubblewrap(request: CommandLineRequest): readonly string[] {
  const options = [
    "--dev-bind",
    "/",
    "/",
    ...buildFileView(request),
    "--proc",
    "/proc",
    "--unshare-pid",
    ...buildOwnNetwork(request.ownNetwork),
    "--die-with-parent",
    "--new-session",
    ...(usesLauncher(request.tier, request.tools) ? ["--json-status-fd", "3"] : []),
  ];
  const cwd = findInView(request.cwd, request.shown);
  return [request.tools.bubblewrap ?? "", ...options, "--chdir", cwd, "--"];
}

/** Bubblewrap itself starts the loopback device of a new network. */
function buildOwnNetwork(network: OwnNetwork | undefined): readonly string[] {
  if (network === undefined) return [];
  return ["--unshare-net", ...(network.hosts === undefined ? [] : buildHostsMount(network.hosts))];
}

function buildSystemdScope(request: CommandLineRequest): readonly string[] {
  if (request.cgroup.kind !== "scope") return [];
  const { memoryMaxBytes } = request.limits;
  // TasksMax is not used: it counts threads, and every Node process has a dozen.
  const limits = memoryMaxBytes === null ? [] : ["-p", `MemoryMax=${memoryMaxBytes}`];
  const unit = ["--user", "--scope", "--quiet", "--collect", "-p", "Delegate=yes"];
  return [request.tools.systemdRun ?? "", ...unit, ...limits, "--", ...hideBusVariables(request)];
}

/** The agent must not see what systemd-run needs to reach the user's manager. */
function hideBusVariables(request: CommandLineRequest): readonly string[] {
  const names = userBusNames.filter((name) => request.environment[name] === undefined);
  return ["/usr/bin/env", ...names.flatMap((name) => ["-u", name])];
}
