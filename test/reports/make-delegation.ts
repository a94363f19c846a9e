import { defaultLimits } from "../../src/contract/limits.ts";
import type { Delegation, Story } from "../../src/journal/store.ts";

export function makeStory(parts: Partial<Story> = {}): Story {
  return {
    id: "US-007",
    kind: "story",
    title: "Add authentication",
    limits: defaultLimits,
    settings: null,
    delegations: 0,
    openedAt: "2026-01-20T10:30:00.000Z",
    ...parts,
  };
}

/** A delegation as the store returns it; depth and parent follow from the id. */
export function makeDelegation(id: string, parts: Partial<Delegation> = {}): Delegation {
  const depth = id.split("-DEL-").length - 1;
  return {
    id,
    story: id.split("-DEL-")[0] ?? id,
    parent: depth === 0 ? null : id.slice(0, id.lastIndexOf("-DEL-")),
    parentAttempt: depth === 0 ? 0 : 1,
    depth,
    description: `Work of ${id}`,
    agent: null,
    todo: null,
    path: ["ambit", "orchestrator"],
    sessionId: "sess_1768905000_a1b2c3",
    executionId: "exec-0123456789ab",
    state: "running",
    outcome: null,
    code: null,
    summary: "",
    attempt: 1,
    priority: 0,
    estimatedHours: null,
    timeoutSeconds: 1800,
    scope: [],
    criteria: [],
    contextTokens: 0,
    workers: 0,
    openWorkers: 0,
    tokens: { limit: null, lent: 0, spent: 0 },
    money: { limit: null, lent: 0, spent: 0 },
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    microUsd: 0,
    estimated: false,
    unpricedTokens: 0,
    compared: null,
    sessionUse: { inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0 },
    cancelRequested: false,
    filesChanged: [],
    work: null,
    turn: {
      kind: "begin",
      note: "",
      counts: {},
      lost: 0,
      lostMachines: 0,
      held: 0,
      notBeforeMs: 0,
      heldBy: null,
    },
    waitingFor: [],
    agentSession: null,
    workspace: null,
    base: null,
    tip: null,
    returnStatus: null,
    errors: [],
    nextSteps: "",
    candidate: null,
    waived: [],
    proof: null,
    workspaceMs: null,
    admittedAt: "2026-01-20T10:30:00.000Z",
    startedAt: "2026-01-20T10:30:00.000Z",
    closedAt: null,
    durationMs: null,
    ...parts,
  };
}

/** One that has ended; times of the day such as `10:45`. */
export function makeEnded(
  id: string,
  [started, closed]: readonly [string, string],
  parts: Partial<Delegation> = {},
): Delegation {
  const startedAt = `2026-01-20T${started}:00.000Z`;
  const closedAt = `2026-01-20T${closed}:00.000Z`;
  const durationMs = Date.parse(closedAt) - Date.parse(startedAt);
  return makeDelegation(id, {
    state: "closed",
    outcome: "completed",
    startedAt,
    closedAt,
    durationMs,
    ...parts,
  });
}
