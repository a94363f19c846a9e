import { builtInAgents, listTestedVersions } from "../../agents/definitions.ts";
import { probeAgent, type AgentProbe } from "../../agents/probe-agent.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { RunTools } from "../ports/run-tools.ts";

/** A start never waits longer than this for a warning. */
const MAX_PROBE_MS = 3000;
/** Programs seldom change, and the stories of one file start one after the other. */
const FRESH_MS = 60_000;

type Asking = Pick<RunTools, "environment" | "clock">;

/** Warnings about an agent's program, before it works. None of them stops the attempt. */
export async function programWarnings(
  tools: Asking,
  { adapter, command }: Pick<WorkSpec, "adapter" | "command">,
): Promise<readonly string[]> {
  if (command.length > 0 || !builtInAgents.includes(adapter)) return [];
  const probe = await Promise.race([probeCached(tools, adapter), pauseFor(MAX_PROBE_MS)]);
  if (probe === undefined) return [];
  const { version, tested, loggedIn, next } = probe;
  const range = listTestedVersions(adapter) ?? "none";
  return [
    ...(version === null || tested
      ? []
      : [`${adapter} ${version} is outside the tested range ${range}: what it prints may be misread`]),
    ...(loggedIn === false ? [`${adapter} seems not to be logged in; if it fails: ${next ?? adapter}`] : []),
  ];
}

/** A program chooses its model itself. */
export function modelWarnings(
  model: string | undefined,
  { adapter }: Pick<WorkSpec, "adapter">,
): readonly string[] {
  return model === undefined || adapter !== "command"
    ? []
    : [`The model ${model} is not used: a program does the work`];
}

interface Asked {
  readonly atMs: number;
  readonly probe: Promise<AgentProbe>;
}

/** Keyed by the environment, which lives as long as its runtime. */
const asked = new WeakMap<object, Map<string, Asked>>();

function probeCached({ environment, clock }: Asking, name: string): Promise<AgentProbe> {
  const known = asked.get(environment) ?? new Map<string, Asked>();
  asked.set(environment, known);
  const before = known.get(name);
  const nowMs = clock.monotonicMs();
  if (before !== undefined && nowMs - before.atMs < FRESH_MS) return before.probe;
  const probe = probeAgent(name, environment);
  known.set(name, { atMs: nowMs, probe });
  return probe;
}

function pauseFor(durationMs: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), durationMs).unref();
  });
}
