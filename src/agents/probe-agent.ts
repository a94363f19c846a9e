import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../base/run-command.ts";
import { buildEnvironment } from "../containment/build-environment.ts";
import { resolveProgram } from "../containment/resolve-program.ts";
import type { LoginState, ProgramProbe } from "./adapter-types/agent-program.ts";
import { agentPrograms } from "./adapters/agent-programs.ts";
import { findProgramProbe } from "./adapters/other-programs.ts";

export interface AgentProbe {
  readonly name: string;
  /** Null where it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Whether this version is one that Ambit was tried with; others mostly work, too. */
  readonly tested: boolean;
  readonly loggedIn: LoginState;
  /** What to type when something is missing. */
  readonly next: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const VERSION_MS = 10_000;
const VERSION = /\d{1,6}\.\d{1,6}\.\d{1,6}/;

/**
 * Whether an agent CLI is there, which version, and whether it knows a login. It is asked for its version only; a login
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

/** In folders that are thrown away: some CLIs create theirs even to tell their version. */
async function askVersion(path: string, environment: Environment): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), "ambit-probe-"));
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
    // Installed for another machine, or half: the same to the user as not there.
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
