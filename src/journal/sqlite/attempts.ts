import { createExecutionId } from "../../base/ids.ts";
import { mayCloseAs } from "../../contract/delegation-state.ts";
import type { Usage } from "../../contract/usage.ts";
import { measurePressure } from "../../ledger/budget-tree.ts";
import { formatUsd } from "../../base/money.ts";
import {
  guardedEventTypes,
  type AttemptName,
  type BeginResult,
  type HeartbeatResult,
  type Lease,
  type RecordableEvent,
  type Settlement,
  type SettleResult,
  type SpendResult,
  type StopWish,
} from "../model/store.ts";
import { readLimits, type AdmissionTools } from "./admit.ts";
import { isKnownChange } from "./apply-task.ts";
import { readInteger, readAccounts, readStanding, readText, type Standing } from "./rows.ts";

/** Starts an attempt if it is the next one and a slot is free; both are checked in the same transaction. */
export function beginAttempt(tools: AdmissionTools, key: AttemptName, lease: Lease): BeginResult {
  const { database, journal, clock } = tools;
  const delegation = readStanding(database, key.id);
  if (delegation?.state !== "queued" || key.attempt !== delegation.attempt + 1) return "stale";
  if (!hasSlot(tools, delegation, lease)) return "full";
  journal.append({
    ...buildEventHead(delegation, key),
    type: "attempt-started",
    data: {
      owner: lease.owner,
      executionId:
        delegation.attempt === 0 && delegation.executionId !== ""
          ? delegation.executionId
          : createExecutionId(),
    },
  });
  database.run("INSERT OR REPLACE INTO leases (delegation, attempt, owner, expires_ms) VALUES (?, ?, ?, ?)", [
    key.id,
    key.attempt,
    lease.owner,
    Math.ceil(clock.wallMs() + lease.leaseMs),
  ]);
  return "ok";
}

/** The attempt never ended; it only gave up its slot while it waited. */
export function rejoinAttempt(tools: AdmissionTools, key: AttemptName, lease: Lease): BeginResult {
  const delegation = readStanding(tools.database, key.id);
  if (delegation?.state !== "parked" || key.attempt !== delegation.attempt) return "stale";
  if (!hasSlot(tools, delegation, lease)) return "full";
  tools.journal.append({ ...buildEventHead(delegation, key), type: "delegation-rejoined", data: {} });
  return "ok";
}

/** The plus keeps SQLite from choosing the index on depth, which holds every delegation ever made. */
const holdsSlot = "state = 'running' AND +depth > 0 AND process_ended = 0";

/**
 * A manager that waits for its workers must not hold the slot they need: only workers count, and only while their
 * process runs, not while their work is being saved.
 */
function hasSlot(tools: AdmissionTools, delegation: Standing, lease: Lease): boolean {
  if (delegation.depth === 0) return true;
  const slots = tools.database.row(
    `SELECT s.max_concurrent AS most,
       (SELECT count(*) FROM delegations WHERE ${holdsSlot} AND story = s.id) AS here,
       (SELECT count(*) FROM delegations WHERE ${holdsSlot}) AS everywhere
     FROM stories s WHERE s.id = ?`,
    [delegation.story],
  );
  if (slots === undefined) return false;
  return (
    readInteger(slots, "here") < readInteger(slots, "most") &&
    readInteger(slots, "everywhere") < lease.maxConcurrent
  );
}

/** Extends the lease and carries a cancellation to wherever the attempt runs. */
export function extendLease(tools: AdmissionTools, key: AttemptName, leaseMs: number): HeartbeatResult {
  const result = judgeHeartbeat(tools, key);
  if (result === "stale") return result;
  tools.database.run("UPDATE leases SET expires_ms = ? WHERE delegation = ? AND attempt = ?", [
    Math.ceil(tools.clock.wallMs() + leaseMs),
    key.id,
    key.attempt,
  ]);
  return result;
}

/** Answers a heartbeat: tells the owner of an attempt whether it may continue. */
export function judgeHeartbeat(tools: Pick<AdmissionTools, "database">, key: AttemptName): HeartbeatResult {
  const delegation = readCurrentAttempt(tools, key);
  if (delegation === undefined) return "stale";
  return delegation.cancelRequested ? "cancelled" : "ok";
}

/** Books use and tells whether the attempt must finish now. */
export function spendUsage(tools: AdmissionTools, key: AttemptName, usage: Usage): SpendResult {
  const delegation = readCurrentAttempt(tools, key);
  if (delegation === undefined) return { kind: "stale" };
  tools.journal.append({ ...buildEventHead(delegation, key), type: "usage-reported", data: usage });
  const booked = readAccounts(tools.database, key.id);
  const { softLimit, alertMicroUsd } = readLimits(tools.database, delegation.story);
  const message = alertText(tools, delegation.story, { microUsd: usage.microUsd, alertMicroUsd });
  if (message !== undefined) {
    const data = { code: "COST_ALERT", message };
    tools.journal.append({ ...buildEventHead(delegation, key), type: "limit-warned", data });
  }
  const levels = [measurePressure(booked.tokens, softLimit), measurePressure(booked.money, softLimit)];
  return {
    kind: "ok",
    pressure: levels.find((level) => level === "hard") ?? levels.find((level) => level === "soft") ?? "free",
  };
}

/** Exactly one report of a story's use crosses the threshold; it stops nothing. */
function alertText(
  { database }: AdmissionTools,
  story: string,
  { microUsd, alertMicroUsd }: { readonly microUsd: number; readonly alertMicroUsd: number },
): string | undefined {
  if (microUsd === 0) return undefined;
  const spent = database.number("SELECT sum(direct_micro) AS value FROM delegations WHERE story = ?", [
    story,
  ]);
  if (spent <= alertMicroUsd || spent - microUsd > alertMicroUsd) return undefined;
  return `The story has cost ${formatUsd(spent)}; you asked to hear above ${formatUsd(alertMicroUsd)}.`;
}

const guarded: ReadonlySet<string> = new Set(guardedEventTypes);

export function recordEvent(
  tools: AdmissionTools,
  event: RecordableEvent,
  speaker?: AttemptName,
): "ok" | "stale" {
  // Types forbid it already; a program that bypasses them must not change a limit.
  if (guarded.has(event.type)) throw new TypeError(`${event.type} is not to be recorded`);
  if (speaker !== undefined && readCurrentAttempt(tools, speaker) === undefined) return "stale";
  const { delegation: id, attempt } = event;
  if (id !== null && attempt !== 0 && readCurrentAttempt(tools, { id, attempt }) === undefined)
    return "stale";
  if (event.type === "task-changed" && isKnownChange(tools.database, event.data.changeId)) return "ok";
  tools.journal.append(event);
  return "ok";
}

/** Asks for the end of a delegation, once. */
export function requestEnd(tools: AdmissionTools, id: string, { reason, by, speaker }: StopWish): void {
  if (speaker !== undefined && readCurrentAttempt(tools, speaker) === undefined) return;
  const delegation = readStanding(tools.database, id);
  if (delegation === undefined || delegation.state === "closed" || delegation.cancelRequested) return;
  const data = { reason, by };
  tools.journal.append({ ...buildEventHead(delegation), type: "cancellation-requested", data });
}

/**
 * Ends a delegation exactly once. A result of an attempt that is over, or of a delegation that has ended, is only noted
 * in the audit trail.
 */
export function settleAttempt(tools: AdmissionTools, key: AttemptName, settlement: Settlement): SettleResult {
  const delegation = readStanding(tools.database, key.id);
  if (delegation === undefined) return "stale";
  if (!maySettle(delegation, key)) {
    const data = { outcome: settlement.outcome, currentAttempt: delegation.attempt };
    tools.journal.append({ ...buildEventHead(delegation, key), type: "late-return-ignored", data });
    return "stale";
  }
  if (delegation.openWorkers > 0) return "open-workers";
  if (!mayCloseAs(settlement.outcome, delegation.state)) return "unproven";
  const { outcome, code = null, summary, filesChanged = [] } = settlement;
  tools.journal.append({
    ...buildEventHead(delegation),
    type: "delegation-closed",
    data: { outcome, code, summary, filesChanged: [...filesChanged] },
  });
  tools.database.run("DELETE FROM leases WHERE delegation = ?", [key.id]);
  return "ok";
}

/** Attempts whose lease has expired go back to the queue; the next one gets a higher number. */
export function requeueExpired(tools: AdmissionTools): readonly string[] {
  const now = Math.floor(tools.clock.wallMs());
  const rows = tools.database.rows("SELECT delegation FROM leases WHERE expires_ms < ? ORDER BY delegation", [
    now,
  ]);
  return rows.flatMap((row) => {
    const id = readText(row, "delegation");
    tools.database.run("DELETE FROM leases WHERE delegation = ?", [id]);
    const delegation = readStanding(tools.database, id);
    if (delegation?.state !== "running") return [];
    const key = { id, attempt: delegation.attempt };
    tools.journal.append({
      ...buildEventHead(delegation, key),
      type: "attempt-lost",
      data: { reason: "no heartbeat", machine: true },
    });
    return [id];
  });
}

/** While a delegation is queued, no attempt ends it: the newest one is over, and the next one has not begun. */
function maySettle(delegation: Standing, { attempt }: AttemptName): boolean {
  return delegation.state === "queued" ? attempt === 0 : isUnderWay(delegation, attempt);
}

function readCurrentAttempt(tools: Pick<AdmissionTools, "database">, key: AttemptName): Standing | undefined {
  const delegation = readStanding(tools.database, key.id);
  return delegation !== undefined && isUnderWay(delegation, key.attempt) ? delegation : undefined;
}

/** Whether an attempt has begun, and has not been lost or given its delegation back. */
function isUnderWay({ state, attempt }: Standing, number: number): boolean {
  return attempt === number && state !== "closed" && state !== "queued";
}

function buildEventHead(
  { id, story, ...newest }: Standing,
  { attempt }: Pick<AttemptName, "attempt"> = newest,
) {
  return { story, delegation: id, attempt } as const;
}
