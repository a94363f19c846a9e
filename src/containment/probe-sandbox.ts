import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { runCommand } from "../base/run-command.ts";
import { findContainmentTools } from "./launcher/tools.ts";
import { buildSandboxCommand, type SandboxTier, type SandboxTools } from "./sandbox-command.ts";
import { guardCallsFor } from "./sandbox/guard-command.ts";

export interface SandboxReport {
  readonly tier: SandboxTier;
  /** The reason for this tier and against those above it, in one line for people. */
  readonly reason: string;
  readonly gives: readonly string[];
  readonly lacks: readonly string[];
  /** There is no sandbox at all, which must be shown clearly. */
  readonly loud: boolean;
  readonly tools: SandboxTools;
}

const TRIAL_MS = 10_000;
const EXIT_SEEN = 3;

let cached: Promise<SandboxReport> | undefined;

/** Probes how well this machine can sandbox; each tier is tried once, then remembered. */
export function probeSandbox(): Promise<SandboxReport> {
  cached ??= findSandboxTools().then(probeSandboxWith);
  return cached;
}

/** Probes with other programs; the result is not remembered. */
export async function probeSandboxWith(tools: SandboxTools): Promise<SandboxReport> {
  if (process.platform !== "linux") return reportNoSandbox(tools, "Linux only");
  const bubblewrap =
    tools.bubblewrap === null
      ? "/usr/bin/bwrap is missing: install the package bubblewrap"
      : await trySandboxTier("bubblewrap", tools);
  if (bubblewrap === undefined) return withBubblewrap(tools);
  const landlock =
    tools.perl === null || tools.calls === null
      ? "there is no /usr/bin/perl to start Landlock with"
      : await trySandboxTier("landlock", tools);
  return landlock === undefined
    ? withLandlock(tools, bubblewrap)
    : reportNoSandbox(tools, `${bubblewrap}; ${landlock}`);
}

export async function findSandboxTools(): Promise<SandboxTools> {
  const { bubblewrap, perl, systemCalls } = findContainmentTools();
  const help = bubblewrap === null ? "" : await readBubblewrapHelp(bubblewrap);
  return {
    bubblewrap,
    perl,
    calls: guardCallsFor(process.arch, systemCalls),
    options: { size: help.includes("--size "), disableUserns: help.includes("--disable-userns ") },
  };
}

async function readBubblewrapHelp(program: string): Promise<string> {
  try {
    const { stdout, stderr } = await runSandboxTrial([program, "--help"], {});
    return `${stdout.toString("utf8")}${stderr.toString("utf8")}`;
  } catch {
    // The program cannot be started at all; the trial reports that.
    return "";
  }
}

/** Undefined if the tier hides a secret and a folder from a command that has its own folder; otherwise the reason. */
async function trySandboxTier(tier: SandboxTier, tools: SandboxTools): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(getTemporaryFolder(), "ambit-sandbox-")));
  const [own, home, temporary, secret] = ["own", "home", "temporary", "secret"].map((name) =>
    join(folder, name),
  );
  if (own === undefined || home === undefined || temporary === undefined || secret === undefined) return "";
  try {
    for (const path of [own, home, temporary]) mkdirSync(path);
    writeFileSync(secret, "secret\n");
    const script = `(: > "$1/mine") || exit 1; (: > "$2.new") 2>/dev/null; cat "$2" 2>/dev/null && exit ${EXIT_SEEN}; exit 0`;
    const command = buildSandboxCommand({
      tier,
      tools,
      argv: ["/bin/sh", "-c", script, "trial", own, secret],
      cwd: own,
      writable: [own],
      home,
      temporary,
      environment: { PATH: "/usr/bin:/bin" },
    });
    const { exitCode, stderr } = await runSandboxTrial(command.argv, command.environment);
    if (exitCode === 0 && !existsSync(`${secret}.new`)) return undefined;
    const line = stderr.toString("utf8").split("\n")[0]?.slice(0, 200) ?? "";
    return `${tier} does not work here: ${line || `the trial ended with ${String(exitCode)}`}`;
  } catch (error) {
    return `${tier} does not work here: ${readErrorMessage(error)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSandboxTrial(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
): ReturnType<typeof runCommand> {
  return runCommand({ argv, environment, cwd: "/", timeoutMs: TRIAL_MS });
}

function withBubblewrap(tools: SandboxTools): SandboxReport {
  const isRoot = process.getuid?.() === 0;
  const hasGuard = tools.perl !== null && tools.calls !== null;
  return {
    tier: "bubblewrap",
    reason: "bubblewrap works",
    gives: [
      "only the worker's own clone, the system's programs and named programs can be seen",
      "only the worker's own clone and hand-over folder can be written",
      "no process, socket or terminal outside can be reached",
      "no network but the provider of its agent and what workspace.services and agents.addresses name, unless it is allowed",
      "nothing it starts outlives it",
    ],
    lacks: [
      "with network allowed, services on this machine can be reached as well",
      ...(isRoot ? ["as you are root, files that only root may read can be read"] : []),
      ...(hasGuard ? [] : ["without /usr/bin/perl, keys of the session's kernel keyring can be read"]),
      ...(tools.options.disableUserns ? [] : ["this bubblewrap cannot forbid namespaces inside (0.8 can)"]),
    ],
    loud: false,
    tools,
  };
}

function withLandlock(tools: SandboxTools, whyNotBetter: string): SandboxReport {
  return {
    tier: "landlock",
    reason: `${whyNotBetter}; Landlock works`,
    gives: [
      "only the worker's own clone, the system's programs and named programs can be read",
      "only the worker's own folders can be written",
      "no network and no sockets, unless network is allowed",
      "no capability, and on Linux 6.12 and later no signal to processes outside",
    ],
    lacks: [
      "names, sizes and times of files outside can be seen",
      "rights, owners and times of files outside that belong to the same user can be changed",
      "processes outside can be seen, though not looked into",
      "with network allowed, every service and socket on this machine can be reached; without, not even the agent's provider",
      "memory shared between processes of the same user is not kept apart",
      "before Linux 6.12, processes of the same user can be signalled; before 6.2, files be emptied",
    ],
    loud: false,
    tools,
  };
}

function reportNoSandbox(tools: SandboxTools, reason: string): SandboxReport {
  return {
    tier: "none",
    reason,
    gives: [],
    lacks: ["a worker can read and write everything that its user can"],
    loud: true,
    tools,
  };
}
