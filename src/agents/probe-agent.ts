import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { runCommand } from "../base/run-command.ts";
import { buildEnvironment } from "../containment/build-environment.ts";
import { resolveProgram } from "../containment/resolve-program.ts";
import type { LoginState, ProgramProbe } from "./adapter-types/agent-program.ts";
import { agentPrograms } from "./adapters/agent-programs.ts";
import { findProgramProbe } from "./adapters/other-programs.ts";

export interface AgentProbe {
  readonly name: string;
  /** Null if it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Whether Ambit is tested with this version; most others work, too. */
  readonly tested: boolean;
  readonly loggedIn: LoginState;
  /** The command that fixes what is missing. */
  readonly next: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const VERSION_MS = 10_000;
const VERSION = /\d{1,6}\.\d{1,6}\.\d{1,6}/;

/**
 * Finds out whether an agent CLI is installed, its version, and whether it has a login. It runs only `--version`; a login
 * is recognised by keys in the environment and by the CLI's own files, never by asking a provider.
 */
export async function probeAgent(name: string, environment: Environment): Promise<AgentProbe> {
  const known = findProgramProbe(name);
  const path = resolveProgram(name, { PATH: environment["PATH"] ?? "" }, "/") ?? null;
  const loggedIn = known?.readLogin?.(environment, environment["HOME"] ?? homedir()) ?? "unknown";
  const version = path === null ? null : await askVersion(path, environment);
  return {
    name,
    path,
    version,
    tested: version !== null && (known?.tested.some((range) => version.startsWith(range)) ?? false),
    loggedIn,
    next: suggestCommand(known, { isInstalled: path !== null && version !== null, loggedIn }),
  };
}

/** In temporary folders, because some CLIs create theirs even to print a version. */
async function askVersion(path: string, environment: Environment): Promise<string | null> {
  const folder = await mkdtemp(join(getTemporaryFolder(), "ambit-probe-"));
  try {
    const outcome = await runCommand({
      argv: [path, "--version"],
      cwd: folder,
      environment: buildEnvironment({ base: environment, set: confineProgram(folder) }),
      timeoutMs: VERSION_MS,
      maxOutputBytes: 4096,
    });
    if (outcome.exitCode !== 0) return null;
    return VERSION.exec(outcome.stdout.toString("utf8"))?.[0] ?? null;
  } catch {
    // Half installed, or built for another machine: for the user that is the same as not installed.
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The variables of all programs together, because a program may start another one. */
function confineProgram(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    agentPrograms.flatMap(({ probe }) => Object.entries(probe.confineTo?.(folder) ?? {})),
  );
}

interface ProgramState {
  readonly isInstalled: boolean;
  readonly loggedIn: LoginState;
}

function suggestCommand(
  known: ProgramProbe | undefined,
  { isInstalled, loggedIn }: ProgramState,
): string | null {
  if (known === undefined) return null;
  if (!isInstalled) return `npm install -g ${known.package}`;
  return loggedIn === false ? known.logIn : null;
}
