import { isAbsolute, normalize } from "node:path";
import { containmentErrors } from "../errors/containment.ts";
import type { Forwarding } from "./forward-services.ts";
import { buildCover } from "./launcher/file-view.ts";
import type { ContainmentTier, Cover } from "./launcher/contained-process.ts";
import type { ContainmentReport } from "./probe-containment.ts";
import { buildGuardCommand, type GuardCalls, type GuardRule } from "./sandbox/guard-command.ts";
import {
  kernelSettings,
  networkSettings,
  plainDevices,
  systemFolders,
  systemSettings,
} from "./sandbox/system-paths.ts";

export type SandboxTier = "bubblewrap" | "landlock" | "none";

/** The programs from which a sandbox is built on this machine. */
export interface SandboxTools {
  readonly bubblewrap: string | null;
  /** Options that older versions of bubblewrap lack. */
  readonly options: { readonly size: boolean; readonly disableUserns: boolean };
  readonly perl: string | null;
  readonly calls: GuardCalls | null;
}

export interface SandboxRequest {
  readonly tier: SandboxTier;
  readonly tools: SandboxTools;
  /** The command: the program by its full path, or a name on the PATH of `environment`. */
  readonly argv: readonly string[];
  /** An absolute path: one of the writable folders, or a folder below one. */
  readonly cwd: string;
  /** Folders that the command may write. They and the folders below them have the same path inside. */
  readonly writable: readonly string[];
  /** Programs and data in addition to the system's: the agent's installation, git objects. */
  readonly readOnly?: readonly string[];
  /** HOME: empty at every start with bubblewrap, a private folder with Landlock. */
  readonly home: string;
  /** Temporary files with Landlock; bubblewrap has its own `/tmp`. */
  readonly temporary: string;
  /** The complete environment: only HOME and TMPDIR are added. */
  readonly environment: Readonly<Record<string, string>>;
  readonly network?: boolean;
  /** Services that can be reached although the network cannot. Bubblewrap only. */
  readonly forwarding?: Pick<Forwarding, "folder" | "hosts" | "relay"> | undefined;
  /** Agents with their own sandbox need namespaces inside ours. */
  readonly nestedSandbox?: boolean;
  /**
   * A folder that is shown empty except for its mark, by which processes inside recognise where they are. Bubblewrap
   * only.
   */
  readonly cover?: Pick<Cover, "folder" | "mark"> | undefined;
}

export interface SandboxCommand {
  readonly argv: readonly string[];
  /**
   * The environment for starting `argv`. Values are not put on the command line, which every user of the machine can
   * read.
   */
  readonly environment: Readonly<Record<string, string>>;
}

const HOME_BYTES = 1024 ** 3;
const TEMPORARY_BYTES = 4 * 1024 ** 3;
const SHARED_MEMORY_BYTES = 1024 ** 3;

/** These decide which code the programs around the sandbox load, so they are set only inside. */
const LOADER_NAMES: readonly string[] = ["LD_", "PERL", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH"];

/** Builds the command that runs a command in the sandbox. Reads nothing and starts nothing. */
export function buildSandboxCommand(request: SandboxRequest): SandboxCommand {
  const paths = [...request.writable, ...(request.readOnly ?? []), request.home, request.temporary];
  for (const path of [...paths, request.cwd]) checkSandboxPath(path);
  switch (request.tier) {
    case "bubblewrap":
      return insideBubblewrap(request);
    case "landlock":
      return insideLandlock(request);
    case "none":
      throw containmentErrors.sandboxUnavailable("this machine has neither bubblewrap nor Landlock");
  }
}

/** Chooses the containment around a sandbox. Not a PID namespace: bubblewrap has its own, and two cost twice. */
export function chooseLaunchTier(report: Pick<ContainmentReport, "tiers">): ContainmentTier {
  const fitting = report.tiers.find(({ tier, available }) => available && tier !== "pid-namespace");
  return fitting?.tier ?? "process-group";
}

function insideBubblewrap(request: SandboxRequest): SandboxCommand {
  const { tools, argv } = request;
  if (tools.bubblewrap === null) throw containmentErrors.sandboxUnavailable("/usr/bin/bwrap is missing");
  const environment = { ...request.environment, HOME: request.home, TMPDIR: "/tmp" };
  const loader = Object.entries(environment).filter(([name]) => isLoaderName(name));
  const words = [
    tools.bubblewrap,
    ...buildNamespaces(request),
    ...systemMounts(request),
    ...buildOwnMounts(request),
    "--chdir",
    request.cwd,
    ...loader.flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
  ];
  const outside = Object.entries(environment).filter(([name]) => !isLoaderName(name));
  const relay = findForwarding(request)?.relay ?? [];
  return {
    argv: [...words, ...buildInnerGuard(tools), ...relay, ...argv],
    environment: Object.fromEntries(outside),
  };
}

/** Undefined if the command has the network of the machine, where every service can be reached anyway. */
function findForwarding({ network, forwarding }: SandboxRequest): SandboxRequest["forwarding"] {
  return network === true ? undefined : forwarding;
}

function buildNamespaces({ network, nestedSandbox, tools }: SandboxRequest): readonly string[] {
  const closed = tools.options.disableUserns && nestedSandbox !== true;
  return [
    "--unshare-all",
    // This is not implied for root, who would otherwise keep real power over everything mounted.
    "--unshare-user",
    ...(closed ? ["--disable-userns"] : []),
    ...(network === true ? ["--share-net"] : []),
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--new-session",
    "--hostname",
    "ambit",
  ];
}

function systemMounts({ network, tools }: SandboxRequest): readonly string[] {
  const settings = network === true ? [...systemSettings, ...networkSettings] : systemSettings;
  return [
    ...[...systemFolders, ...settings].flatMap(readOnlyIfThere),
    "--proc",
    "/proc",
    ...kernelSettings.flatMap(readOnlyIfThere),
    "--dev",
    "/dev",
    ...buildEmptyFolder(tools, "/dev/shm", SHARED_MEMORY_BYTES),
    "--remount-ro",
    "/dev",
    ...buildEmptyFolder(tools, "/tmp", TEMPORARY_BYTES),
  ];
}

/**
 * These follow the system's mounts, so that a project below `/tmp` is not covered; outer folders come before inner ones.
 */
function buildOwnMounts(request: SandboxRequest): readonly string[] {
  const { tools, home, readOnly, writable, cover } = request;
  const { folder, hosts } = findForwarding(request) ?? {};
  const mounts = [
    { path: home, words: buildEmptyFolder(tools, home, HOME_BYTES) },
    ...(hosts === undefined ? [] : [{ path: "", words: ["--ro-bind", hosts, "/etc/hosts"] }]),
    ...[...(readOnly ?? []), ...(folder === undefined ? [] : [folder])].map((path) => ({
      path,
      words: ["--ro-bind", path, path],
    })),
    ...writable.map((path) => ({ path, words: ["--bind", path, path] })),
  ];
  const ordered = mounts.toSorted((one, other) => one.path.length - other.path.length);
  const covered = cover === undefined ? [] : buildCover({ ...cover, writable: [], readable: [], files: [] });
  return [...ordered.flatMap(({ words }) => words), ...covered, "--remount-ro", "/"];
}

function readOnlyIfThere(path: string): readonly string[] {
  return ["--ro-bind-try", path, path];
}

function buildEmptyFolder({ options }: SandboxTools, path: string, bytes: number): readonly string[] {
  return [...(options.size ? ["--size", String(bytes)] : []), "--tmpfs", path];
}

function buildInnerGuard({ perl, calls }: SandboxTools): readonly string[] {
  return perl === null || calls === null ? [] : buildGuardCommand({ perl, calls, flags: [], rules: [] });
}

function insideLandlock(request: SandboxRequest): SandboxCommand {
  const { perl, calls } = request.tools;
  if (perl === null || calls === null) throw containmentErrors.sandboxUnavailable("/usr/bin/perl is missing");
  const environment = { ...request.environment, HOME: request.home, TMPDIR: request.temporary };
  const refused = Object.keys(environment).filter(isLoaderName);
  // These would be loaded into the guard itself, which runs outside the sandbox.
  if (refused.length > 0)
    throw containmentErrors.sandboxUnavailable(`${refused.join(", ")} cannot be set in a Landlock sandbox`);
  const guard = buildGuardCommand({
    perl,
    calls,
    flags: request.network === true ? ["caps", "files"] : ["caps", "files", "tcp", "sockets"],
    rules: landlockRules(request),
  });
  return { argv: [...guard, ...request.argv], environment };
}

function landlockRules({ network, readOnly, ...request }: SandboxRequest): readonly GuardRule[] {
  const settings = network === true ? [...systemSettings, ...networkSettings] : systemSettings;
  const read = [...systemFolders, ...settings, "/proc", ...(readOnly ?? [])];
  const written = [...request.writable, request.home, request.temporary];
  return [
    ...read.map((path): GuardRule => `r:${path}`),
    ...plainDevices.map((path): GuardRule => `d:${path}`),
    ...written.map((path): GuardRule => `w:${path}`),
  ];
}

function isLoaderName(name: string): boolean {
  return LOADER_NAMES.some((start) => name.startsWith(start));
}

function checkSandboxPath(path: string): void {
  const isPlain = isAbsolute(path) && normalize(path) === path && !path.includes("\0");
  if (isPlain && !path.endsWith("/")) return;
  throw containmentErrors.pathNotSandboxable(path);
}
