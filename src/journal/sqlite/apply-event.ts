import { dropUndefined } from "../../base/json.ts";
import { transitions } from "../../contract/delegation-state.ts";
import type { JournalEvent } from "../../contract/journal-event.ts";
import { workSpecSchema } from "../../contract/work-spec.ts";
import { journalErrors } from "../../errors/journal.ts";
import { applyAdmission, applyStory } from "./apply-admission.ts";
import { applyApproval } from "./apply-approval.ts";
import { applyAttemptEnd, applyClosing, applyUsage } from "./apply-ledger.ts";
import { applyTask } from "./apply-task.ts";
import { applyAssignment, applyCompletion, applyMessage, applyTodos, tellAgain } from "./apply-mail.ts";
import type { Database } from "./database.ts";

/**
 * Brings the projections from one event to the next. Depends on the event and the projections alone, never on
 * clock or environment, so that a replay gives the same rows.
 */
export function applyEvent(database: Database, event: JournalEvent): void {
  moveState(database, event);
  const columns = buildColumns(event);
  if (columns !== undefined) return updateColumns(database, event, columns);
  applyRows(database, event);
}

type Columns = Readonly<Record<string, string | number | null>>;

/** Events that only change columns of their own delegation. */
function buildColumns(event: JournalEvent): Columns | undefined {
  switch (event.type) {
    case "workspace-created":
      return workspaceColumns(event);
    case "workspace-removed":
      return { workspace: null };
    case "work-kept":
      return { tip: event.data.tip, base: event.data.base, ...filesColumn(event.data.filesChanged) };
    case "delegation-parked":
      return parkedColumns(event);
    case "session-known":
      return { agent_session: event.data.sessionId };
    case "context-measured":
      return { context_tokens: event.data.tokens };
    case "cancellation-requested":
      return { cancel_requested: 1 };
    case "delegation-returned":
      return returnColumns(event);
    case "delegation-verified":
      return proofColumns(event);
    case "delegation-merged":
      return filesColumn(event.data.filesChanged);
    default:
      return undefined;
  }
}

/** Events that touch other rows, or add some. All others are facts for the audit trail that no projection needs. */
function applyRows(database: Database, event: JournalEvent): void {
  switch (event.type) {
    case "story-opened":
      return applyStory(database, event);
    case "delegation-admitted":
      applyAdmission(database, event);
      return applyAssignment(database, event);
    case "delegation-refused":
      return applyRefusal(database, event);
    case "attempt-started":
      return applyStart(database, event);
    case "attempt-lost":
      tellAgain(database, event);
      return countTurn(database, event, event.data.machine === true ? "lostMachines" : "lost");
    case "attempt-retried":
      applyHandOver(database, event);
      return event.data.provider === undefined
        ? applyTurn(database, event, event.data)
        : applyHold(database, event, event.data.provider);
    case "attempt-ended":
      updateColumns(database, event, { process_ended: 1 });
      return applyAttemptEnd(database, event);
    case "delegation-resumed":
      return applyTurn(database, event, { kind: event.data.kind ?? "results" });
    case "usage-reported":
      return applyUsage(database, event);
    case "delegation-closed":
      applyClosing(database, event);
      return applyCompletion(database, event);
    case "message-sent":
    case "message-marked":
      return applyMessage(database, event);
    case "todos-updated":
      return applyTodos(database, event);
    case "task-changed":
      return applyTask(database, event);
    case "approval-requested":
    case "approval-answered":
      return applyApproval(database, event);
    default:
      return;
  }
}

function filesColumn(files: readonly string[]): Columns {
  return { files_changed: JSON.stringify(files) };
}

/** A later return replaces an earlier one completely. */
function returnColumns({ data }: EventOf<"delegation-returned">): Columns {
  return {
    summary: data.summary,
    return_status: data.status,
    return_errors: JSON.stringify(data.errors ?? []),
    next_steps: data.nextSteps ?? "",
  };
}

function proofColumns({ data }: EventOf<"delegation-verified">): Columns {
  return {
    candidate: data.candidate ?? null,
    merge_onto: data.onto ?? null,
    checked_on: data.checkedOn ?? null,
    waived: JSON.stringify(data.waived ?? []),
    proof: data.proof ?? null,
    ...(data.filesChanged === undefined ? {} : filesColumn(data.filesChanged)),
  };
}

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

function moveState(database: Database, event: JournalEvent): void {
  const transition = transitions[event.type];
  if (transition === undefined || event.delegation === null) return;
  const from = transition.from.map((state) => `'${state}'`).join(", ");
  const moved = database.run(`UPDATE delegations SET state = ? WHERE id = ? AND state IN (${from})`, [
    transition.to,
    event.delegation,
  ]);
  if (moved === 1) return;
  const state = database.text("SELECT state AS value FROM delegations WHERE id = ?", [event.delegation]);
  throw journalErrors.illegalTransition(event.type, event.delegation ?? event.story, state);
}

function applyStart(database: Database, event: EventOf<"attempt-started">): void {
  database.run(
    `UPDATE delegations SET attempt = ?, execution_id = ?, held_by = NULL, process_ended = 0,
       estimated = estimated | attempt_estimated, attempt_estimated = 0,
       unpriced_tokens = unpriced_tokens + attempt_unpriced, attempt_unpriced = 0,
       started_at = coalesce(started_at, ?), started_ms = coalesce(started_ms, ?) WHERE id = ?`,
    [event.attempt, event.data.executionId, event.at, Date.parse(event.at), event.delegation],
  );
  // An attempt that does not continue its agent's session begins a new one, with nothing used.
  database.run(
    `UPDATE delegations SET session_input = 0, session_cached = 0, session_output = 0, session_micro = 0
       WHERE id = ? AND (agent_session IS NULL OR turn = 'handover')`,
    [event.delegation],
  );
}

function applyRefusal(database: Database, event: EventOf<"delegation-refused">): void {
  const codes = JSON.stringify(event.data.failures.map((failure) => failure.code));
  database.run(
    "INSERT INTO refusals (seq, story, parent, description, codes, at) VALUES (?, ?, ?, ?, ?, ?)",
    [event.seq, event.story, event.data.parent, event.data.description, codes, event.at],
  );
}

function workspaceColumns({ data }: EventOf<"workspace-created">): Columns {
  const { path, base, isolation = "worktree", durationMs } = data;
  return { workspace: JSON.stringify({ path, isolation }), base, workspace_ms: durationMs };
}

function parkedColumns({ data }: EventOf<"delegation-parked">): Columns {
  const { waitingFor, note } = data;
  return { waiting_for: JSON.stringify(waitingFor), ...dropUndefined({ turn_note: note }) };
}

/**
 * Records the reason for the next attempt; without one, the earlier note stays. Counts per reason bound the
 * repetitions.
 */
function applyTurn(
  database: Database,
  event: JournalEvent,
  turn: { kind?: string | undefined; reason?: string; afterMs?: number | undefined },
): void {
  const { kind = "retry", reason, afterMs = 0 } = turn;
  updateColumns(database, event, { turn: kind, not_before_ms: Date.parse(event.at) + afterMs });
  if (reason !== undefined) updateColumns(database, event, { turn_note: reason });
  countTurn(database, event, kind);
}

/** From now on another agent does the work, in a session of its own; everything else about the work stays. */
function applyHandOver(database: Database, event: EventOf<"attempt-retried">): void {
  const { handedTo } = event.data;
  if (handedTo === undefined) return;
  const { agent, ...how } = handedTo;
  const kept = database.text("SELECT work AS value FROM delegations WHERE id = ?", [event.delegation]);
  const { model: _model, tools: _tools, ...rest } = workSpecSchema.parse(JSON.parse(kept));
  updateColumns(database, event, { agent, agent_session: null, work: JSON.stringify({ ...rest, ...how }) });
}

/** The reason for the next attempt stays as it was, because this attempt could not start. */
function applyHold(database: Database, event: EventOf<"attempt-retried">, provider: string): void {
  const notBeforeMs = Date.parse(event.at) + (event.data.afterMs ?? 0);
  updateColumns(database, event, { held_by: provider, not_before_ms: notBeforeMs });
  tellAgain(database, event);
  countTurn(database, event, "held");
}

function countTurn(database: Database, event: JournalEvent, kind: string): void {
  database.run(
    `UPDATE delegations SET turns = json_set(turns, '$.' || ?, coalesce(json_extract(turns, '$.' || ?), 0) + 1)
       WHERE id = ?`,
    [kind, kind, event.delegation],
  );
}

function updateColumns(database: Database, event: JournalEvent, columns: Columns): void {
  const names = Object.keys(columns).map((name) => `${name} = ?`);
  database.run(`UPDATE delegations SET ${names.join(", ")} WHERE id = ?`, [
    ...Object.values(columns),
    event.delegation,
  ]);
}
