import type { JournalEvent } from "../../contract/journal-event.ts";
import type { WorkSpec } from "../../contract/work-spec.ts";
import type { Database, Value } from "./database.ts";

type EventOf<Type extends JournalEvent["type"]> = Extract<JournalEvent, { type: Type }>;

/** A story is a row of its own and, under the same id, the root of its tree. */
export function applyStory(database: Database, event: EventOf<"story-opened">): void {
  const { kind, title, agent, path, sessionId, limits, budgetTokens, budgetMicroUsd } = event.data;
  const { scope = [], work, settings } = event.data;
  insertDelegation(database, "stories", {
    id: event.story,
    seq: event.seq,
    kind,
    title,
    limits: JSON.stringify(limits),
    settings: settings === undefined ? null : JSON.stringify(settings),
    max_concurrent: limits.maxConcurrent,
    delegations: 0,
    opened_at: event.at,
  });
  insertDelegation(database, "delegations", {
    id: event.story,
    seq: event.seq,
    story: event.story,
    parent: null,
    depth: 0,
    description: title,
    agent,
    target: null,
    path: JSON.stringify(path),
    session_id: sessionId,
    execution_id: "",
    state: "queued",
    priority: 0,
    estimated_hours: null,
    timeout_seconds: limits.timeoutSeconds,
    scope: JSON.stringify(scope),
    criteria: JSON.stringify(criterionTexts(work)),
    work: work === undefined ? null : JSON.stringify(work),
    context_tokens: 0,
    budget_tokens: budgetTokens,
    budget_micro: budgetMicroUsd,
    admitted_at: event.at,
  });
}

/** Adds the worker's row; at the manager, counts the number and the worker and lends two slices. */
export function applyAdmission(database: Database, event: EventOf<"delegation-admitted">): void {
  const { data } = event;
  insertDelegation(database, "delegations", {
    id: event.delegation,
    seq: event.seq,
    story: event.story,
    parent: data.parent,
    parent_attempt: data.parentAttempt,
    depth: data.depth,
    description: data.description,
    agent: data.agent,
    target: data.targetId,
    todo: data.todo ?? null,
    path: JSON.stringify(data.path),
    session_id: data.sessionId,
    execution_id: data.executionId,
    state: "queued",
    priority: data.priority,
    estimated_hours: data.estimatedHours,
    timeout_seconds: data.timeoutSeconds,
    scope: JSON.stringify(data.scope),
    criteria: JSON.stringify(data.criteria),
    work: data.work === undefined ? null : JSON.stringify(data.work),
    context_tokens: data.contextTokens,
    budget_tokens: data.budgetTokens,
    budget_micro: data.budgetMicroUsd,
    admitted_at: event.at,
  });
  database.run("UPDATE stories SET delegations = delegations + 1 WHERE id = ?", [event.story]);
  database.run(
    `UPDATE delegations SET next_number = ?, workers = workers + 1, open_workers = open_workers + 1,
       lent_tokens = lent_tokens + ?, lent_micro = lent_micro + ? WHERE id = ?`,
    [data.number + 1, data.budgetTokens ?? 0, data.budgetMicroUsd ?? 0, data.parent],
  );
}

function criterionTexts(work: WorkSpec | undefined): readonly string[] {
  return work?.criteria.map((criterion) => criterion.text) ?? [];
}

function insertDelegation(database: Database, table: string, columns: Readonly<Record<string, Value>>): void {
  const names = Object.keys(columns);
  const marks = names.map(() => "?").join(", ");
  database.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`, Object.values(columns));
}
