import type { Limits } from "../../contract/limits.ts";
import { delegationStates, outcomes } from "../../contract/outcome.ts";
import type { Account } from "../../ledger/budget-tree.ts";
import { approvalAnswers, approvalKinds } from "../../contract/approval.ts";
import { turnKinds, type TurnKind } from "../../contract/turn-kind.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Approval, Delegation, NamedDelegation, ProvenDelegation, Story, Turn } from "../model/store.ts";
import type { Database, Row } from "./database.ts";

/** Rows are narrowed by hand, not by a schema library: reading commands must start fast. */
export function delegationFromRow(row: Row): Delegation {
  return {
    id: text(row, "id"),
    story: text(row, "story"),
    parent: textOrNull(row, "parent"),
    parentAttempt: integer(row, "parent_attempt"),
    depth: integer(row, "depth"),
    description: text(row, "description"),
    agent: textOrNull(row, "agent"),
    todo: textOrNull(row, "todo"),
    path: texts(row, "path"),
    sessionId: text(row, "session_id"),
    executionId: text(row, "execution_id"),
    ...stateFromRow(row),
    code: textOrNull(row, "code"),
    summary: text(row, "summary"),
    attempt: integer(row, "attempt"),
    priority: integer(row, "priority"),
    estimatedHours: integerOrNull(row, "estimated_hours"),
    timeoutSeconds: integer(row, "timeout_seconds"),
    scope: texts(row, "scope"),
    criteria: texts(row, "criteria"),
    contextTokens: integer(row, "context_tokens"),
    workers: integer(row, "workers"),
    openWorkers: integer(row, "open_workers"),
    ...accountsFromRow(row),
    inputTokens: integer(row, "input_tokens"),
    cachedTokens: integer(row, "cached_tokens"),
    outputTokens: integer(row, "output_tokens"),
    microUsd: integer(row, "direct_micro"),
    estimated: integer(row, "estimated") + integer(row, "attempt_estimated") !== 0,
    unpricedTokens: integer(row, "unpriced_tokens") + integer(row, "attempt_unpriced"),
    compared: comparedFromRow(row),
    sessionUse: sessionUseFromRow(row),
    cancelRequested: integer(row, "cancel_requested") !== 0,
    filesChanged: texts(row, "files_changed"),
    ...progressFromRow(row),
    workspaceMs: integerOrNull(row, "workspace_ms"),
    admittedAt: text(row, "admitted_at"),
    startedAt: textOrNull(row, "started_at"),
    closedAt: textOrNull(row, "closed_at"),
    durationMs: integerOrNull(row, "duration_ms"),
  };
}

export function namedFromRow(row: Row): NamedDelegation {
  return { id: text(row, "id"), description: text(row, "description"), ...stateFromRow(row) };
}

export function provenFromRow(row: Row): ProvenDelegation {
  return {
    id: text(row, "id"),
    parent: textOrNull(row, "parent"),
    ...stateFromRow(row),
    candidate: candidateFromRow(row),
    waived: texts(row, "waived"),
    work: workFromText(textOrNull(row, "work")),
  };
}

function stateFromRow(row: Row): Pick<Delegation, "state" | "outcome"> {
  return {
    state: oneOf(delegationStates, text(row, "state")),
    outcome: row["outcome"] === null ? null : oneOf(outcomes, text(row, "outcome")),
  };
}

type Progress = Pick<
  Delegation,
  | "work"
  | "turn"
  | "waitingFor"
  | "agentSession"
  | "workspace"
  | "base"
  | "tip"
  | "returnStatus"
  | "candidate"
  | "waived"
>;

/** The progress from which the runtime continues. */
function progressFromRow(row: Row): Progress {
  return {
    work: workFromText(textOrNull(row, "work")),
    turn: {
      kind: oneOf(turnKinds, text(row, "turn")),
      note: text(row, "turn_note"),
      ...countsFromText(text(row, "turns")),
      notBeforeMs: integer(row, "not_before_ms"),
      heldBy: textOrNull(row, "held_by"),
    },
    waitingFor: texts(row, "waiting_for"),
    agentSession: textOrNull(row, "agent_session"),
    workspace: workspaceFromText(textOrNull(row, "workspace")),
    base: textOrNull(row, "base"),
    tip: textOrNull(row, "tip"),
    returnStatus: textOrNull(row, "return_status"),
    candidate: candidateFromRow(row),
    waived: texts(row, "waived"),
  };
}

export function storyFromRow(row: Row): Story {
  return {
    id: text(row, "id"),
    kind: oneOf(["story", "workflow"], text(row, "kind")),
    title: text(row, "title"),
    limits: limitsFromText(text(row, "limits")),
    delegations: integer(row, "delegations"),
    openedAt: text(row, "opened_at"),
  };
}

/** Work was validated before it was hashed into the journal, too. */
function workFromText(stored: string | null): WorkSpec | null {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  return isWork(value) ? value : null;
}

function isWork(value: unknown): value is WorkSpec {
  return typeof value === "object" && value !== null && "adapter" in value && "criteria" in value;
}

function countsFromText(stored: string): Pick<Turn, "counts" | "lost" | "held"> {
  const value: unknown = JSON.parse(stored);
  const counts: Partial<Record<TurnKind, number>> = {};
  const apart = { lost: 0, held: 0 };
  for (const [name, count] of Object.entries(value ?? {})) {
    if (typeof count !== "number") continue;
    if (name === "lost" || name === "held") apart[name] = count;
    else counts[oneOf(turnKinds, name)] = count;
  }
  return { counts, ...apart };
}

function comparedFromRow(row: Row): Delegation["compared"] {
  const reportedMicroUsd = integerOrNull(row, "compared_reported");
  const estimatedMicroUsd = integerOrNull(row, "compared_estimated");
  if (reportedMicroUsd === null || estimatedMicroUsd === null) return null;
  return { reportedMicroUsd, estimatedMicroUsd };
}

function sessionUseFromRow(row: Row): Delegation["sessionUse"] {
  return {
    inputTokens: integer(row, "session_input"),
    cachedTokens: integer(row, "session_cached"),
    outputTokens: integer(row, "session_output"),
    microUsd: integer(row, "session_micro"),
  };
}

function workspaceFromText(stored: string | null): Delegation["workspace"] {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  if (typeof value !== "object" || value === null || !("path" in value) || !("isolation" in value))
    return null;
  const isolation = oneOf(["worktree", "sandbox"], String(value.isolation));
  return { path: String(value.path), isolation };
}

function candidateFromRow(row: Row): Delegation["candidate"] {
  const commit = textOrNull(row, "candidate");
  return commit === null ? null : { commit, onto: textOrNull(row, "merge_onto") };
}

export function approvalFromRow(row: Row): Approval {
  const answer = textOrNull(row, "answer");
  return {
    id: text(row, "id"),
    story: text(row, "story"),
    delegation: text(row, "delegation"),
    kind: oneOf(approvalKinds, text(row, "kind")),
    question: text(row, "question"),
    details: texts(row, "details"),
    answer: answer === null ? null : oneOf(approvalAnswers, answer),
    answeredBy: textOrNull(row, "answered_by"),
    reason: text(row, "reason"),
    askedAt: text(row, "asked_at"),
  };
}

/** Limits were validated before they were hashed into the journal; here it is enough to recognise them. */
function limitsFromText(stored: string): Limits {
  const value: unknown = JSON.parse(stored);
  if (!isLimits(value)) throw new TypeError("stored limits are not limits");
  return { ...value, maxTurns: value.maxTurns ?? null };
}

function isLimits(value: unknown): value is Limits {
  return typeof value === "object" && value !== null && "maxDepth" in value && "fanOut" in value;
}

export function readAccounts(database: Database, id: string): { tokens: Account; money: Account } {
  const row = database.row(
    `SELECT budget_tokens, lent_tokens, spent_tokens, budget_micro, lent_micro, spent_micro
       FROM delegations WHERE id = ?`,
    [id],
  );
  if (row === undefined) throw new TypeError(`no delegation ${id}`);
  return accountsFromRow(row);
}

function accountsFromRow(row: Row): { tokens: Account; money: Account } {
  return {
    tokens: account(row, "tokens"),
    money: account(row, "micro"),
  };
}

function account(row: Row, unit: string): Account {
  return {
    limit: integerOrNull(row, `budget_${unit}`),
    lent: integer(row, `lent_${unit}`),
    spent: integer(row, `spent_${unit}`),
  };
}

export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new TypeError(`column ${name} is not text`);
  return value;
}

export function integer(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new TypeError(`column ${name} is not a number`);
  return value;
}

export function textOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : text(row, name);
}

function integerOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : integer(row, name);
}

function texts(row: Row, name: string): readonly string[] {
  const value: unknown = JSON.parse(text(row, name));
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

export function oneOf<const Value extends string>(known: readonly Value[], value: string): Value {
  const found = known.find((item) => item === value);
  if (found === undefined) throw new TypeError(`unknown value ${value}`);
  return found;
}

/** The columns that hot paths need: a tenth of the row. */
export type Standing = Pick<
  Delegation,
  "id" | "story" | "depth" | "state" | "attempt" | "executionId" | "openWorkers" | "cancelRequested"
>;

export function readStanding(database: Database, id: string): Standing | undefined {
  const row = database.row(
    `SELECT story, depth, state, attempt, execution_id, open_workers, cancel_requested FROM delegations WHERE id = ?`,
    [id],
  );
  if (row === undefined) return undefined;
  return {
    id,
    story: text(row, "story"),
    depth: integer(row, "depth"),
    state: oneOf(delegationStates, text(row, "state")),
    attempt: integer(row, "attempt"),
    executionId: text(row, "execution_id"),
    openWorkers: integer(row, "open_workers"),
    cancelRequested: integer(row, "cancel_requested") !== 0,
  };
}
