import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Clock } from "../../src/base/clock.ts";
import { childId } from "../../src/contract/child-id.ts";
import type { NewEvent } from "../../src/contract/journal-event.ts";
import { defaultLimits, type Limits } from "../../src/contract/limits.ts";
import { appendEvents } from "./append-events.ts";

export interface BigStoreOptions {
  /** Delegations of the one big run; a tenth of them manage others. */
  readonly delegations?: number;
  /** Events of the whole store; the run itself has nearly all of them. */
  readonly events?: number;
  /** Small, ended runs next to it. */
  readonly others?: number;
  /** The time of the run's last event, half an hour after its first. */
  readonly nowMs?: number;
}

export interface BigStore {
  readonly story: string;
  readonly delegations: number;
  readonly events: number;
  readonly others: readonly string[];
}

/** Higher than any configuration allows, because only the size matters here. */
const limits: Limits = { ...defaultLimits, maxDepth: 3, maxDelegations: 100, fanOut: [100, 100, 100] };
const RUN_MS = 30 * 60_000;
const STORY = "S-big";

/**
 * A store with one run as large as views must bear, made event by event with the store's own writer: its chain and its
 * projections hold. Some work is running, some waits, some asks a person, some failed; all of it is the same each time.
 */
export async function makeBigStore(file: string, options: BigStoreOptions = {}): Promise<BigStore> {
  const { delegations = 1000, events = 100_000, others = 30, nowMs = Date.now() } = options;
  mkdirSync(dirname(file), { recursive: true });
  const ids = Array.from({ length: others }, (_, index) => `S-old${index + 1}`);
  const tree = planTree(delegations);
  let wallMs = nowMs - RUN_MS;
  const clock: Clock = { wallMs: () => (wallMs += RUN_MS / events), monotonicMs: () => wallMs };
  const count = await appendEvents(file, allEvents(ids, tree, events), clock);
  return { story: STORY, delegations: tree.length, events: count, others: ids };
}

function* allEvents(
  others: readonly string[],
  tree: readonly Planned[],
  events: number,
): Generator<NewEvent, void> {
  let left = events;
  const counted = function* (some: Iterable<NewEvent>): Generator<NewEvent, void> {
    for (const one of some) {
      left -= 1;
      yield one;
    }
  };
  for (const [index, id] of others.entries()) yield* counted(smallRun(id, index));
  const rounds = Math.max(1, Math.floor((left - tree.length * FIXED_EVENTS) / tree.length));
  yield* counted(bigRun(tree, rounds));
  for (; left > 0; left -= 1) yield usageOf(tree.at(-1)?.id ?? STORY, left);
}

interface Planned {
  readonly id: string;
  readonly parent: string;
  readonly number: number;
  readonly depth: number;
  readonly index: number;
}

/** Ten managers, nine managers below each, the rest evenly below those. */
function planTree(count: number): readonly Planned[] {
  const planned: Planned[] = [];
  const add = (parent: string, depth: number, number: number): Planned => {
    const node = { id: childId(parent, number), parent, number, depth, index: planned.length };
    planned.push(node);
    return node;
  };
  const first = Array.from({ length: Math.min(10, count) }, (_, index) => add(STORY, 1, index + 1));
  const second = first.flatMap(({ id }) =>
    Array.from({ length: 9 }, (_, index) => (planned.length < count ? [add(id, 2, index + 1)] : [])).flat(),
  );
  for (let number = 1; planned.length < count; number += 1)
    for (const { id } of second) if (planned.length < count) add(id, 3, number);
  return planned;
}

/** The rough number of events that every delegation has in addition to its reports. */
const FIXED_EVENTS = 11;
const agents = ["claude", "codex", "gemini", "opencode"] as const;
const models = ["claude-opus-4-5", "gpt-5.2-codex", "gemini-3-pro", ""] as const;
const topics = ["token service", "login form", "rate limit", "migration", "e2e tests", "audit trail", "docs"];

function* bigRun(tree: readonly Planned[], rounds: number): Generator<NewEvent> {
  yield openedRun(STORY, "Add OAuth login to the shop, with tests, docs and a migration");
  yield event(STORY, "attempt-started", { owner: "big", executionId: "x" });
  for (const node of tree) {
    yield admitted(node);
    yield event(node.id, "attempt-started", { owner: "big", executionId: `x${node.index}` });
  }
  yield event(STORY, "delegation-refused", {
    parent: STORY,
    description: "one delegation too many",
    agent: null,
    targetId: null,
    failures: [{ code: "TOO_MANY_DELEGATIONS", message: "Too many delegations (101). Maximum: 100" }],
  });
  for (let round = 0; round < rounds; round += 1) for (const node of tree) yield reportOf(node, round);
  for (const node of tree.toReversed()) yield* endOf(node);
  yield event(STORY, "delegation-parked", { waitingFor: tree.slice(0, 10).map(({ id }) => id) });
}

const about = { story: STORY, attempt: 1 } as const;

function event<Type extends NewEvent["type"]>(
  delegation: string,
  type: Type,
  data: Extract<NewEvent, { type: Type }>["data"],
): NewEvent {
  const made: unknown = { ...about, type, delegation, data };
  return isNewEvent(made) ? made : fail();
}

/** The writer checks every event against its schema. This function only satisfies the compiler. */
function isNewEvent(value: unknown): value is NewEvent {
  return typeof value === "object" && value !== null && "type" in value;
}

function fail(): never {
  throw new TypeError("not an event");
}

function openedRun(id: string, title: string): NewEvent {
  return {
    type: "story-opened",
    story: id,
    delegation: id,
    attempt: 0,
    data: {
      kind: "story",
      title,
      agent: "claude",
      path: ["ambit", "claude"],
      sessionId: `sess_1768900000_${id.toLowerCase().slice(-6).padStart(6, "0")}`,
      limits,
      budgetTokens: null,
      budgetMicroUsd: 900_000_000,
    },
  };
}

function admitted({ id, parent, number, depth, index }: Planned): NewEvent {
  const topic = topics[index % topics.length] ?? "";
  const agent = agents[index % agents.length] ?? "claude";
  const data = {
    parent,
    parentAttempt: 1,
    number,
    depth,
    description: `Part ${index + 1}: ${topic} of the ${depth === 3 ? "checkout" : "shop"}`,
    agent,
    targetId: null,
    path: ["ambit", "claude", agent],
    sessionId: `sess_1768900000_a${String(index).padStart(5, "0")}`,
    executionId: `exec-${index}`,
    estimatedHours: index % 5 === 0 ? null : (index % 4) + 0.5,
    contextTokens: 12_000,
    priority: 1,
    timeoutSeconds: 1800,
    scope: [],
    criteria: ["npm test exits with code 0", "docs/login.md exists"],
    checks: ["depth_ok"],
    warnings: [],
    work: {
      adapter: agent,
      command: [],
      context: "",
      criteria: [
        {
          id: "c1",
          text: "npm test exits with code 0",
          required: true,
          check: { command: "npm test" },
          verdict: "unverified" as const,
        },
        {
          id: "c2",
          text: "docs/login.md exists",
          required: true,
          check: { file: "docs/login.md" },
          verdict: "unverified" as const,
        },
      ],
      dependsOn: depth === 3 && number > 1 && index % 7 === 0 ? [childId(parent, number - 1)] : [],
    },
    budgetTokens: null,
    budgetMicroUsd: depth === 3 ? 400_000 : 4_000_000,
  };
  return { ...event(id, "delegation-admitted", data), attempt: 0 };
}

function reportOf(node: Planned, round: number): NewEvent {
  if (round % 10 === 9)
    return event(node.id, "note-added", {
      text: `edits src/${topics[round % topics.length] ?? ""}-${round}.ts`,
    });
  return usageOf(node.id, node.index + round);
}

function usageOf(id: string, index: number): NewEvent {
  const model = models[index % models.length] ?? "";
  return event(id, "usage-reported", {
    ...(model === "" ? {} : { model }),
    inputTokens: 700 + (index % 13) * 40,
    cachedTokens: 5000,
    outputTokens: 80 + (index % 7) * 15,
    microUsd: 2000 + (index % 29) * 100,
    source: index % 4 === 2 ? "estimated" : "reported",
  });
}

/** Most delegations are done; of the rest some run, wait, failed or ask. A delegation with open workers stays open. */
function* endOf(node: Planned): Generator<NewEvent> {
  const { id, depth, index } = node;
  const checked = (number: number, verdict: "passed" | "failed"): NewEvent =>
    event(id, "criterion-checked", {
      criterionId: `c${number}`,
      text: number === 1 ? "npm test exits with code 0" : "docs/login.md exists",
      verdict,
      evidence: verdict === "passed" ? "exit code 0 after 3.2 s" : "exit code 1: 2 tests failed",
      by: "ambit",
    });
  if (depth < 3) {
    yield event(id, "delegation-parked", { waitingFor: [childId(id, 1)] });
    return;
  }
  if (index % 50 === 3) return;
  if (index % 50 === 4) {
    yield* questionOf(node);
    return;
  }
  if (index % 17 === 5) {
    yield event(id, "attempt-retried", { reason: "the return was cut off", kind: "repair", afterMs: 2000 });
    yield { ...event(id, "attempt-started", { owner: "big", executionId: `y${index}` }), attempt: 2 };
    yield { ...event(id, "note-added", { text: "repairs its return" }), attempt: 2 };
    return;
  }
  const files = [`src/part-${index}.ts`, `test/part-${index}.test.ts`];
  yield event(id, "work-kept", { tip: "c".repeat(40), base: "b".repeat(40), filesChanged: files });
  yield event(id, "delegation-returned", {
    status: "completed",
    summary: `Part ${index + 1} is done and tested.`,
    artifacts: files,
  });
  const isGood = index % 23 !== 7;
  yield checked(1, isGood ? "passed" : "failed");
  yield checked(2, "passed");
  if (isGood) {
    yield event(id, "delegation-verified", { passed: 2, failed: 0, unverified: 0 });
    yield event(id, "delegation-merged", { into: STORY, commit: "d".repeat(40), filesChanged: files });
  }
  yield event(id, "delegation-closed", {
    outcome: isGood ? "completed" : "partial",
    code: isGood ? null : "CRITERIA_UNMET",
    summary: isGood ? `Part ${index + 1} is done and tested.` : "2 tests failed.",
    filesChanged: files,
  });
}

function* questionOf({ id, index }: Planned): Generator<NewEvent> {
  const kind = index % 100 === 4 ? "clarification" : "cost";
  const approvalId = `${id}-${kind}-1`;
  yield event(id, "approval-requested", {
    approvalId,
    kind,
    question:
      kind === "cost"
        ? "Part of the migration is estimated at $6.40, above the $5.00 that needs nobody's word. Go on?"
        : "Which of the two session tables is the one in use?",
    details: kind === "cost" ? ["estimated $6.40", "limit $5.00"] : [],
  });
  yield event(id, "delegation-parked", { waitingFor: [approvalId] });
}

function* smallRun(id: string, index: number): Generator<NewEvent> {
  const own = { story: id, delegation: id, attempt: 1 } as const;
  const outcome = index % 5 === 4 ? "failed" : "partial";
  yield openedRun(id, `Older run ${index + 1}: ${topics[index % topics.length] ?? ""}`);
  yield { ...own, type: "attempt-started", data: { owner: "big", executionId: "x" } };
  yield {
    ...own,
    type: "delegation-closed",
    data: { outcome, code: null, summary: "Ended a while ago.", filesChanged: [] },
  };
}
