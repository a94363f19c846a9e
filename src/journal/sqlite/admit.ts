import { createExecutionId } from "../../base/ids.ts";
import type { Clock } from "../../base/clock.ts";
import { dropUndefined } from "../../base/json.ts";
import { childId, expandChildId } from "../../contract/child-id.ts";
import type { Limits } from "../../contract/limits.ts";
import { runGuards } from "../../guards/run-guards.ts";
import type { Failed, GuardFacts } from "../../guards/verdict.ts";
import { computeAvailable, lendSlice, type LendResult } from "../../ledger/budget-tree.ts";
import type { Admission, Batch, Delegation, NewDelegation } from "../model/store.ts";
import type { Database } from "./database.ts";
import type { JournalWriter } from "./journal-writer.ts";
import { managerRefusal, todoRefusal, tokenRefusal } from "./refusals.ts";
import { readDelegation } from "./reader.ts";
import { storyFromRow } from "./rows.ts";
import { newSessionId } from "./new-session-id.ts";

export interface AdmissionTools {
  readonly database: Database;
  readonly journal: JournalWriter;
  readonly clock: Clock;
}

/**
 * Admits or refuses a batch inside the current transaction. The batch counts as a whole: if it does not fit, nothing
 * of it is created.
 */
export function admitBatch(tools: AdmissionTools, batch: Batch): readonly Admission[] {
  const manager = readDelegation(tools.database, batch.parent);
  if (manager === undefined) return batch.requests.map(() => ({ admitted: false, failures: [unknown] }));
  const limits = readLimits(tools.database, manager.story);
  const refusal = managerRefusal(manager, batch) ?? (limits.enabled ? undefined : switchedOff);
  const facts = gatherFacts(tools.database, manager, batch);
  const earlier: (string | undefined)[] = [];
  return batch.requests.map((asked, index) => {
    const request = nameDependencies(asked, earlier, manager.id);
    const sharers = batch.requests.length - index + 1;
    const admission =
      refusal === undefined
        ? admitOne(tools, { batch, request, limits, facts, sharers })
        : refuseRequest(tools, { manager, request, failures: [refusal] });
    earlier.push(admission.admitted ? admission.delegation.id : undefined);
    return admission;
  });
}

/** `#2` is the second request of this batch, `DEL-002` the manager's second delegation; anything else is an id. */
function nameDependencies(
  request: NewDelegation,
  earlier: readonly (string | undefined)[],
  manager: string,
): NewDelegation {
  const { work } = request;
  if (work === undefined || work.dependsOn.length === 0) return request;
  const dependsOn = work.dependsOn.map((name) => {
    if (/^#\d{1,3}$/.test(name)) return earlier[Number(name.slice(1)) - 1] ?? name;
    return expandChildId(manager, name);
  });
  return { ...request, work: { ...work, dependsOn } };
}

interface Candidate {
  readonly batch: Batch;
  readonly request: NewDelegation;
  readonly limits: Limits;
  /** Counted before the first request of the batch is decided. */
  readonly facts: GuardFacts;
  /** Undecided requests, this one included, and the manager itself. */
  readonly sharers: number;
}

function admitOne(tools: AdmissionTools, candidate: Candidate): Admission {
  const { request, limits, batch } = candidate;
  // Read again, because earlier requests of the batch have taken numbers and slices.
  const manager = readDelegation(tools.database, batch.parent);
  if (manager === undefined) return { admitted: false, failures: [unknown] };
  const facts = { ...candidate.facts, availableMicroUsd: computeAvailable(manager.money) };
  const report = runGuards(guardRequest(request), facts, limits);
  const slices = lendSlices(manager, candidate);
  const failures = [
    ...report.failures,
    ...tokenRefusal(slices.tokens, request),
    ...todoRefusal(tools.database, manager, request),
    ...(request.refusals ?? []),
  ];
  if (failures.length > 0 || !slices.tokens.ok || !slices.money.ok) {
    return refuseRequest(tools, { manager, request, failures });
  }
  const number = nextNumber(tools.database, manager.id);
  const id = childId(manager.id, number);
  tools.journal.append({
    type: "delegation-admitted",
    story: manager.story,
    delegation: id,
    attempt: 0,
    data: {
      ...describeRequest(request, limits),
      parent: manager.id,
      parentAttempt: batch.parentAttempt,
      number,
      depth: manager.depth + 1,
      path: [...manager.path, request.agent ?? id],
      sessionId: newSessionId(tools),
      executionId: createExecutionId(),
      checks: [...report.checks],
      warnings: [...report.warnings],
      budgetTokens: slices.tokens.borrower.limit,
      budgetMicroUsd: slices.money.borrower.limit,
    },
  });
  const delegation = readDelegation(tools.database, id);
  return delegation === undefined ? { admitted: false, failures: [unknown] } : { admitted: true, delegation };
}

/** The ancestor line is at most four rows long, whatever the size of the store. */
function gatherFacts(database: Database, manager: Delegation, batch: Batch): GuardFacts {
  return {
    callerDepth: manager.depth,
    agentPath: manager.path,
    idPath: idsToRoot(database, manager.id),
    storyDelegations: database.number("SELECT delegations AS value FROM stories WHERE id = ?", [
      manager.story,
    ]),
    callerWorkers: manager.workers,
    batchSize: batch.requests.length,
    callerContextTokens:
      batch.isReview === true ? 0 : Math.max(manager.contextTokens, batch.parentContextTokens ?? 0),
    availableMicroUsd: computeAvailable(manager.money),
  };
}

function idsToRoot(database: Database, start: string): string[] {
  const ids: string[] = [];
  for (let id: string | null = start; id !== null;) {
    const row = database.row("SELECT parent, target FROM delegations WHERE id = ?", [id]);
    const [target, parent] = [row?.get("target"), row?.get("parent")];
    ids.unshift(...(typeof target === "string" ? [target, id] : [id]));
    id = typeof parent === "string" ? parent : null;
  }
  return ids;
}

function guardRequest(request: NewDelegation): Parameters<typeof runGuards>[0] {
  return {
    description: request.description,
    contextTokens: request.contextTokens ?? 0,
    ...dropUndefined({
      isDirective: request.isDirective,
      agent: request.isDriver === true ? undefined : request.agent,
      targetId: request.targetId,
      microUsd: request.budgetMicroUsd,
    }),
  };
}

/** A request without a budget gets an equal share; one share stays with the manager itself. */
function lendSlices(manager: Delegation, candidate: Candidate): { tokens: LendResult; money: LendResult } {
  const share = 1 / candidate.sharers;
  const { budgetTokens, budgetMicroUsd } = candidate.request;
  const money = lendSlice(manager.money, { share, ...dropUndefined({ amount: budgetMicroUsd }) });
  const tokens = lendSlice(manager.tokens, { share, ...dropUndefined({ amount: budgetTokens }) });
  return { tokens, money: capSlice(money, candidate.limits.delegationMicroUsd, manager) };
}

/** The limit per delegation also applies to slices that were not requested. */
function capSlice(slice: LendResult, cap: number | null, manager: Delegation): LendResult {
  if (!slice.ok || cap === null || (slice.borrower.limit !== null && slice.borrower.limit <= cap))
    return slice;
  return lendSlice(manager.money, { amount: cap });
}

function describeRequest(request: NewDelegation, limits: Limits) {
  return {
    description: request.description,
    agent: request.agent ?? null,
    targetId: request.targetId ?? null,
    estimatedHours: request.estimatedHours ?? null,
    contextTokens: request.contextTokens ?? 0,
    priority: request.priority ?? 0,
    timeoutSeconds: Math.min(request.timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds),
    scope: [...(request.scope ?? [])],
    criteria: [...(request.criteria ?? [])],
    ...dropUndefined({ todo: request.todo, work: request.work }),
  };
}

function nextNumber(database: Database, id: string): number {
  return database.number("SELECT next_number AS value FROM delegations WHERE id = ?", [id]);
}

export function readLimits(database: Database, story: string): Limits {
  const row = database.row("SELECT * FROM stories WHERE id = ?", [story]);
  if (row === undefined) throw new TypeError(`no story ${story}`);
  return storyFromRow(row).limits;
}

const MAX_RECORDED_DESCRIPTION = 500;

function refuseRequest(
  tools: AdmissionTools,
  refused: { manager: Delegation; request: NewDelegation; failures: readonly Failed[] },
): Admission {
  const { manager, request, failures } = refused;
  tools.journal.append({
    type: "delegation-refused",
    story: manager.story,
    delegation: null,
    attempt: 0,
    data: {
      parent: manager.id,
      description: request.description.slice(0, MAX_RECORDED_DESCRIPTION),
      agent: request.agent?.slice(0, 200) ?? null,
      targetId: request.targetId?.slice(0, 200) ?? null,
      failures: failures.map(({ code, message }) => ({ code, message })),
    },
  });
  return { admitted: false, failures };
}

const unknown: Failed = {
  ok: false,
  code: "DELEGATION_NOT_FOUND",
  message: "The manager is not in this store",
  details: [],
  suggestion: "Check the id with ambit tree.",
};

const switchedOff: Failed = {
  ok: false,
  code: "DELEGATION_DISABLED",
  message: "Delegating is switched off",
  details: [],
  suggestion: "Do the work here, or set delegation.enabled to true (ENABLE_DELEGATION=true).",
};
