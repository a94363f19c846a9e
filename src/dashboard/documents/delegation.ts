import type { JournalEvent } from "../../contract/journal-event.ts";
import type { Approval, Delegation, Message, StoredTodo } from "../../journal/store.ts";
import { criteriaRows } from "../../orchestrator/criteria-rows.ts";
import { limitUse } from "../../reports/story-totals.ts";
import type { RunView } from "../live/run-view.ts";
import type { ActionKind, Attempt, CriterionRow, DelegationDetail, NodeCost, TodoRow } from "../wire.ts";
import { handBackOf } from "./hand-back.ts";
import { inboxEntry } from "./inbox.ts";
import { messageRow } from "./message-row.ts";
import { sumByModel } from "./run-cost.ts";
import { changedNodes } from "./run-node.ts";
import { timeOf } from "./run-summary.ts";

export interface DelegationFacts {
  readonly delegation: Delegation;
  readonly events: readonly JournalEvent[];
  readonly approvals: readonly Approval[];
  readonly messages: readonly Message[];
  readonly todos: readonly StoredTodo[];
  readonly runTitle: string;
  readonly stateDirectory: string;
  readonly nowMs: number;
}

/** Everything about one delegation but its log and its diff; undefined where the view does not know it. */
export function delegationDocument(view: RunView, facts: DelegationFacts): DelegationDetail | undefined {
  const { delegation, events, approvals, nowMs } = facts;
  const seen = view.node(delegation.id);
  const node = changedNodes(view, [delegation.id]).find(({ id }) => id === delegation.id);
  if (seen === undefined || node === undefined) return undefined;
  const open = approvals.filter(({ answer }) => answer === null && delegation.state !== "closed");
  return {
    seq: view.lastSeq,
    nowMs,
    run: view.story,
    node,
    sessionId: delegation.sessionId,
    path: delegation.path,
    scope: delegation.scope,
    context: delegation.work?.context ?? "",
    command: delegation.work?.command ?? [],
    isolation: delegation.workspace?.isolation ?? delegation.work?.isolation ?? null,
    workspace: delegation.workspace?.path ?? null,
    base: delegation.base,
    tip: delegation.tip,
    filesChanged: seen.filesChanged,
    attempts: attemptsOf(events),
    limits: limitUse(view.view, seen, nowMs),
    criteria: criteriaOf(facts),
    handBack: handBackOf(facts.stateDirectory, delegation, events),
    messages: facts.messages.map(messageRow),
    todos: facts.todos.map(todoRow),
    questions: open.map((approval) => inboxEntry(approval, { delegation, runTitle: facts.runTitle })),
    refusals: seen.refusals,
    cost: costOf(view, delegation, node.totalMicroUsd),
    can: actionsFor(delegation),
  };
}

function attemptsOf(events: readonly JournalEvent[]): readonly Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const event of events) {
    const { attempt: number, at } = event;
    const before = attempts.get(number) ?? {
      number,
      startedAtMs: null,
      endedAtMs: null,
      reason: "",
      code: null,
    };
    if (event.type === "attempt-started") attempts.set(number, { ...before, startedAtMs: timeOf(at) });
    if (event.type === "attempt-ended") {
      const { reason, code } = event.data;
      attempts.set(number, { ...before, endedAtMs: timeOf(at), reason, code });
    }
    if (event.type === "attempt-retried" || event.type === "attempt-lost")
      attempts.set(number, {
        ...before,
        endedAtMs: before.endedAtMs ?? timeOf(at),
        reason: event.data.reason,
      });
  }
  return [...attempts.values()].filter(({ number }) => number > 0);
}

function criteriaOf({ delegation, events, approvals }: DelegationFacts): readonly CriterionRow[] {
  const times = new Map(
    events.flatMap((event) =>
      event.type === "criterion-checked" ? [[event.data.criterionId, timeOf(event.at)] as const] : [],
    ),
  );
  return criteriaRows({ delegation, events, approvals }).map((row) => {
    const { id, text, required, check, verdict, evidence } = row;
    return { id, text, required, check, verdict, evidence, by: row.by ?? "", atMs: times.get(id) ?? null };
  });
}

function todoRow({ item }: StoredTodo): TodoRow {
  const { id, content, status, delegated_to: worker = "", blocked } = item;
  return { id, content, status, worker, blocked: blocked?.reason ?? "" };
}

function costOf(view: RunView, delegation: Delegation, totalMicroUsd: number): NodeCost {
  const { id, microUsd, inputTokens, cachedTokens, outputTokens, unpricedTokens } = delegation;
  const uses = view.costs.uses.filter(({ node }) => node === id);
  return {
    microUsd,
    totalMicroUsd,
    source: view.node(id)?.costSource ?? "reported",
    inputTokens,
    cachedTokens,
    outputTokens,
    unpricedTokens,
    byModel: sumByModel(uses),
  };
}

/** What a person may do with it now; questions have their own answers. */
function actionsFor({ state, outcome }: Delegation): readonly ActionKind[] {
  if (state !== "closed") return ["message", "stop"];
  return outcome === "completed" ? ["retry"] : ["resume", "retry"];
}
