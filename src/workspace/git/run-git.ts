import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { type CommandOutcome, runCommand } from "../../base/run-command.ts";
import { getTaskAbort } from "../../base/task-abort.ts";
import { workspaceErrors } from "../../errors/workspace.ts";

/** Where a git command works. Nothing is ever discovered from the current folder. */
export interface GitPlace {
  /** PATH: where to find the `git` program. */
  readonly searchPath: string;
  readonly gitDirectory: string;
  readonly workTree?: string;
  readonly indexFile?: string;
  /** The folder of the objects, if the git directory is a private one without objects. */
  readonly objectDirectory?: string;
}

export interface GitCall {
  readonly place: GitPlace;
  readonly arguments: readonly string[];
  readonly stdin?: Uint8Array | string;
  /** A descriptor that receives the output instead of us. */
  readonly stdoutFile?: number;
  /** Exit codes that are answers; any other code throws `GIT_FAILED`. */
  readonly accept?: readonly number[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly abort?: AbortSignal;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** A git process that neither computes, reads nor writes for this long hangs. */
const MAX_STALL_MS = 60_000;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;
const SHOWN_LINES = 5;

/**
 * Switches that keep git from starting programs, using the network or changing the repository by itself. They are the
 * second layer: trees that a worker can write are read through a private git directory.
 */
const hardening: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.sshCommand=false",
  "core.untrackedCache=false",
  "core.pager=cat",
  "protocol.allow=never",
  "submodule.recurse=false",
  "diff.ignoreSubmodules=all",
  "safe.bareRepository=explicit",
  "commit.gpgSign=false",
  "gc.auto=0",
  "gc.autoDetach=false",
  "maintenance.auto=false",
  "worktree.useRelativePaths=false",
  "advice.detachedHead=false",
  "advice.graftFileDeprecated=false",
].flatMap((setting) => ["-c", setting]);

/**
 * The environment is built from nothing, so that no `GIT_…` variable, helper or personal setting of the caller's
 * environment has an effect.
 */
const cleanEnvironment = {
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  GIT_EDITOR: "false",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  // Overrules `protocol.*.allow` of every configuration, so that no `ext::` address runs a program. Older versions of git
  // need it, because they do not know the line above.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_GRAFT_FILE: "/dev/null",
} as const;

/** Runs one hardened git command; a failure throws with the command, its exit code and its last output. */
export async function runGit(call: GitCall): Promise<GitAnswer> {
  const abort = call.abort ?? getTaskAbort();
  const outcome = await runCommand({
    argv: ["git", ...hardening, ...placeOptions(call.place), ...call.arguments],
    // The folder is outside every work tree: inside one, git would read the given paths relative to this folder.
    cwd: "/",
    environment: buildGitEnvironment(call),
    timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
    ...(call.stdoutFile === undefined ? {} : { stdoutFile: call.stdoutFile }),
    stallMs: MAX_STALL_MS,
    ...(abort === undefined ? {} : { abort }),
  });
  if (abort?.aborted === true && outcome.exitCode === null) throw workspaceErrors.gitStopped(call.arguments);
  return checkOutcome(outcome, call.arguments, call.accept ?? []);
}

/** Returns the one line that a command prints. */
export async function readGitLine(call: GitCall): Promise<string> {
  return (await runGit(call)).stdout.toString("utf8").trimEnd();
}

/** Starts a git process that is fed and read while it runs; all other calls use `runGit`. The caller ends it. */
export function startGitProcess(call: Pick<GitCall, "place" | "arguments">): ChildProcessWithoutNullStreams {
  const child = spawn("git", [...hardening, ...placeOptions(call.place), ...call.arguments], {
    cwd: "/",
    env: buildGitEnvironment(call),
    stdio: ["pipe", "pipe", "pipe"],
    // The process is not in our process group, so that we handle Ctrl-C in a terminal ourselves.
    detached: true,
  });
  child.on("error", () => undefined);
  // Without a process there may be no streams either.
  if (child.pid === undefined) throw workspaceErrors.gitFailed(call.arguments, "could not be started", "");
  return child;
}

export interface DiscoveryCall {
  readonly searchPath: string;
  readonly directory: string;
  /** HOME and XDG_CONFIG_HOME: only here do the user's own settings apply. */
  readonly environment: Readonly<Record<string, string>>;
  readonly arguments: readonly string[];
}

/** Asks about the user's own repository and settings, with git's usual search; never used in a workspace. */
export async function askGitInFolder(call: DiscoveryCall): Promise<GitAnswer> {
  const outcome = await runCommand({
    // A bare repository is found, too, so that the refusal can name it.
    argv: ["git", ...hardening, "-c", "safe.bareRepository=all", ...call.arguments],
    cwd: call.directory,
    environment: {
      PATH: call.searchPath,
      LC_ALL: "C",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      ...call.environment,
    },
    timeoutMs: DEFAULT_TIMEOUT_MS,
    stallMs: MAX_STALL_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  // Git exits with 128 if this is not a repository; the caller decides what that means.
  return checkOutcome(outcome, call.arguments, [1, 128]);
}

/** Splits `-z` output into bytes, because names need not be UTF-8. */
export function splitAtZeros(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0, start);
    if (end === -1) return parts;
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
}

function placeOptions(place: GitPlace): readonly string[] {
  const workTree = place.workTree === undefined ? [] : [`--work-tree=${place.workTree}`];
  return [`--git-dir=${place.gitDirectory}`, ...workTree];
}

function buildGitEnvironment(call: GitCall): Record<string, string> {
  const { place } = call;
  return {
    ...cleanEnvironment,
    PATH: place.searchPath,
    ...(place.indexFile === undefined ? {} : { GIT_INDEX_FILE: place.indexFile }),
    ...(place.objectDirectory === undefined ? {} : { GIT_OBJECT_DIRECTORY: place.objectDirectory }),
    ...call.environment,
  };
}

function checkOutcome(
  outcome: CommandOutcome,
  words: readonly string[],
  accept: readonly number[],
): GitAnswer {
  const { exitCode, stdout } = outcome;
  const stderr = outcome.stderr.toString("utf8");
  const isAnswer = exitCode !== null && (exitCode === 0 || accept.includes(exitCode));
  if (isAnswer && !outcome.truncated) return { exitCode, stdout, stderr };
  const lastLines = stderr.trimEnd().split("\n").slice(-SHOWN_LINES).join("\n");
  throw workspaceErrors.gitFailed(words, describeFailure(outcome), lastLines);
}

function describeFailure(outcome: CommandOutcome): string {
  if (outcome.stalled) return `made no progress for ${MAX_STALL_MS / 1000} s`;
  if (outcome.timedOut) return "did not finish in time";
  if (outcome.truncated) return "printed more than can be read";
  return outcome.exitCode === null
    ? `was ended by ${String(outcome.signal)}`
    : `failed with exit code ${String(outcome.exitCode)}`;
}
