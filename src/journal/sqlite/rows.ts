import type { Limits } from "../../contract/limits.ts";
import { delegationStates, outcomes } from "../../contract/outcome.ts";
import { workProofs } from "../../contract/work-proof.ts";
import type { Account } from "../../ledger/budget-tree.ts";
import { approvalAnswers, approvalKinds } from "../../contract/approval.ts";
import { turnKinds, type TurnKind } from "../../contract/turn-kind.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Approval, Delegation, NamedDelegation, ProvenDelegation, Story, Turn } from "../model/store.ts";
import type { Database, Row } from "./database.ts";
import { errorsFromText, settingsFromText } from "./kept-values.ts";

/** Rows are narrowed by hand, not by a schema library: reading commands must start fast. */
export function delegationFromRow(row: Row): Delegation {
  return {
    id: readText(row, "id"),
    story: readText(row, "story"),
    parent: textOrNull(row, "parent"),
    parentAttempt: readInteger(row, "parent_attempt"),
    depth: readInteger(row, "depth"),
    description: readText(row, "description"),
    agent: textOrNull(row, "agent"),
    todo: textOrNull(row, "todo"),
    path: readTexts(row, "path"),
    sessionId: readText(row, "session_id"),
    executionId: readText(row, "execution_id"),
    ...stateFromRow(row),
    code: textOrNull(row, "code"),
    summary: readText(row, "summary"),
    attempt: readInteger(row, "attempt"),
    priority: readInteger(row, "priority"),
    estimatedHours: integerOrNull(row, "estimated_hours"),
    timeoutSeconds: readInteger(row, "timeout_seconds"),
    scope: readTexts(row, "scope"),
    criteria: readTexts(row, "criteria"),
    contextTokens: readInteger(row, "context_tokens"),
    workers: readInteger(row, "workers"),
    openWorkers: readInteger(row, "open_workers"),
    ...accountsFromRow(row),
    inputTokens: readInteger(row, "input_tokens"),
    cachedTokens: readInteger(row, "cached_tokens"),
    outputTokens: readInteger(row, "output_tokens"),
    microUsd: readInteger(row, "direct_micro"),
    estimated: isEstimated(row),
    unpricedTokens: readInteger(row, "unpriced_tokens") + readInteger(row, "attempt_unpriced"),
    compared: comparedFromRow(row),
    sessionUse: sessionUseFromRow(row),
    cancelRequested: readInteger(row, "cancel_requested") !== 0,
    filesChanged: readTexts(row, "files_changed"),
    ...progressFromRow(row),
    workspaceMs: integerOrNull(row, "workspace_ms"),
    admittedAt: readText(row, "admitted_at"),
    startedAt: textOrNull(row, "started_at"),
    closedAt: textOrNull(row, "closed_at"),
    durationMs: integerOrNull(row, "duration_ms"),
  };
}

export function namedFromRow(row: Row): NamedDelegation {
  return { id: readText(row, "id"), description: readText(row, "description"), ...stateFromRow(row) };
}

export function provenFromRow(row: Row): ProvenDelegation {
  return {
    id: readText(row, "id"),
    parent: textOrNull(row, "parent"),
    ...stateFromRow(row),
    candidate: candidateFromRow(row),
    cancelRequested: readInteger(row, "cancel_requested") !== 0,
    waived: readTexts(row, "waived"),
    work: workFromText(textOrNull(row, "work")),
  };
}

export function isEstimated(row: Row): boolean {
  return readInteger(row, "estimated") + readInteger(row, "attempt_estimated") !== 0;
}

export function stateFromRow(row: Row): Pick<Delegation, "state" | "outcome"> {
  return {
    state: readChoice(delegationStates, readText(row, "state")),
    outcome: row.get("outcome") === null ? null : readChoice(outcomes, readText(row, "outcome")),
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
  | "errors"
  | "nextSteps"
  | "candidate"
  | "waived"
  | "proof"
>;

/** The progress from which the runtime continues. */
function progressFromRow(row: Row): Progress {
  return {
    work: workFromText(textOrNull(row, "work")),
    turn: {
      kind: readChoice(turnKinds, readText(row, "turn")),
      note: readText(row, "turn_note"),
      ...countsFromText(readText(row, "turns")),
      notBeforeMs: readInteger(row, "not_before_ms"),
      heldBy: textOrNull(row, "held_by"),
    },
    waitingFor: readTexts(row, "waiting_for"),
    agentSession: textOrNull(row, "agent_session"),
    workspace: workspaceFromText(textOrNull(row, "workspace")),
    base: textOrNull(row, "base"),
    tip: textOrNull(row, "tip"),
    returnStatus: textOrNull(row, "return_status"),
    errors: errorsFromText(readText(row, "return_errors")),
    nextSteps: readText(row, "next_steps"),
    candidate: candidateFromRow(row),
    waived: readTexts(row, "waived"),
    proof: row.get("proof") === null ? null : readChoice(workProofs, readText(row, "proof")),
  };
}

export function storyFromRow(row: Row): Story {
  return {
    id: readText(row, "id"),
    kind: readChoice(["story", "workflow"], readText(row, "kind")),
    title: readText(row, "title"),
    limits: limitsFromText(readText(row, "limits")),
    settings: settingsFromText(textOrNull(row, "settings")),
    delegations: readInteger(row, "delegations"),
    openedAt: readText(row, "opened_at"),
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

function countsFromText(stored: string): Pick<Turn, "counts" | "lost" | "lostMachines" | "held"> {
  const apart = { lost: 0, lostMachines: 0, held: 0 };
  if (stored === "{}") return { counts: {}, ...apart };
  const value: unknown = JSON.parse(stored);
  const counts: Partial<Record<TurnKind, number>> = {};
  for (const [name, count] of Object.entries(value ?? {})) {
    if (typeof count !== "number") continue;
    if (name === "lost" || name === "lostMachines" || name === "held") apart[name] = count;
    else counts[readChoice(turnKinds, name)] = count;
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
    inputTokens: readInteger(row, "session_input"),
    cachedTokens: readInteger(row, "session_cached"),
    outputTokens: readInteger(row, "session_output"),
    microUsd: readInteger(row, "session_micro"),
  };
}

function workspaceFromText(stored: string | null): Delegation["workspace"] {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  if (typeof value !== "object" || value === null || !("path" in value) || !("isolation" in value))
    return null;
  const isolation = readChoice(["worktree", "sandbox"], String(value.isolation));
  return { path: String(value.path), isolation };
}

function candidateFromRow(row: Row): Delegation["candidate"] {
  const commit = textOrNull(row, "candidate");
  if (commit === null) return null;
  return { commit, onto: textOrNull(row, "merge_onto"), checkedOn: textOrNull(row, "checked_on") ?? commit };
}

export function approvalFromRow(row: Row): Approval {
  const answer = textOrNull(row, "answer");
  return {
    id: readText(row, "id"),
    story: readText(row, "story"),
    delegation: readText(row, "delegation"),
    kind: readChoice(approvalKinds, readText(row, "kind")),
    question: readText(row, "question"),
    details: readTexts(row, "details"),
    answer: answer === null ? null : readChoice(approvalAnswers, answer),
    answeredBy: textOrNull(row, "answered_by"),
    reason: readText(row, "reason"),
    askedAt: readText(row, "asked_at"),
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
    tokens: readAccount(row, "tokens"),
    money: readAccount(row, "micro"),
  };
}

function readAccount(row: Row, unit: string): Account {
  return {
    limit: integerOrNull(row, `budget_${unit}`),
    lent: readInteger(row, `lent_${unit}`),
    spent: readInteger(row, `spent_${unit}`),
  };
}

export function readText(row: Row, name: string): string {
  const value = row.get(name);
  if (typeof value !== "string") throw new TypeError(`column ${name} is not text`);
  return value;
}

export function readInteger(row: Row, name: string): number {
  const value = row.get(name);
  if (typeof value !== "number") throw new TypeError(`column ${name} is not a number`);
  return value;
}

export function textOrNull(row: Row, name: string): string | null {
  return row.get(name) === null ? null : readText(row, name);
}

export function integerOrNull(row: Row, name: string): number | null {
  return row.get(name) === null ? null : readInteger(row, name);
}

export function readTexts(row: Row, name: string): readonly string[] {
  const stored = readText(row, name);
  // Most lists are empty, and a command reads a thousand of them.
  if (stored === "[]") return [];
  const value: unknown = JSON.parse(stored);
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

export function readChoice<const Value extends string>(known: readonly Value[], value: string): Value {
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
    story: readText(row, "story"),
    depth: readInteger(row, "depth"),
    state: readChoice(delegationStates, readText(row, "state")),
    attempt: readInteger(row, "attempt"),
    executionId: readText(row, "execution_id"),
    openWorkers: readInteger(row, "open_workers"),
    cancelRequested: readInteger(row, "cancel_requested") !== 0,
  };
}
