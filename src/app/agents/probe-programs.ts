import { listTestedVersions } from "../../agents/definitions.ts";
import { probeAgent } from "../../agents/probe-agent.ts";
import { resolveProgram } from "../../containment/resolve-program.ts";
import type { AppContext } from "../project/app-context.ts";

/** The facts about an agent program on this machine; null where they are unknown. */
export interface ProgramFacts {
  readonly name: string;
  /** Null when it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Whether its version is one the adapter was tested with. */
  readonly tested: boolean | null;
  readonly range: string | null;
  readonly loggedIn: boolean | null;
  /** The next command, where there is something to do. */
  readonly next: string | null;
}

/** Asks each of these programs about itself, all at the same time. */
export async function probePrograms(
  { environment }: Pick<AppContext, "environment">,
  names: readonly string[],
): Promise<ReadonlyMap<string, ProgramFacts>> {
  const facts = await Promise.all(names.map((name) => probeProgram(name, environment)));
  return new Map(facts.map((one) => [one.name, one]));
}

/** In a few words: is it there, which one, may it be used. */
export function describeProgram({ path, version, tested, range, loggedIn }: ProgramFacts): string {
  if (path === null) return "not installed";
  const facts = [
    version ?? "installed, version unknown",
    ...(tested === false ? [`outside the tested range${range === null ? "" : ` ${range}`}`] : []),
    ...(loggedIn === null ? [] : [loggedIn ? "logged in" : "not logged in"]),
  ];
  return facts.join(", ");
}

/** Some start for the first time and set themselves up; none of them is waited for longer. */
const MAX_PROBE_MS = 10_000;

async function probeProgram(name: string, environment: AppContext["environment"]): Promise<ProgramFacts> {
  const probe = await within(MAX_PROBE_MS, probeAgent(name, environment));
  const range = listTestedVersions(name) ?? null;
  if (probe === undefined) return silentProgram(name, environment);
  const { path, version, tested, loggedIn, next } = probe;
  return {
    name,
    path,
    version,
    tested: version === null || range === null ? null : tested,
    range,
    // A program that is not installed needs no login.
    loggedIn: path === null || loggedIn === "unknown" ? null : loggedIn,
    next,
  };
}

/** It is there and says nothing: that is all there is to know. */
function silentProgram(name: string, { PATH = "" }: AppContext["environment"]): ProgramFacts {
  const path = resolveProgram(name, { PATH }, "/") ?? null;
  return { name, path, version: null, tested: null, range: null, loggedIn: null, next: `${name} --version` };
}

async function within<Value>(deadlineMs: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
