import type { JournalEvent } from "../../contract/journal-event.ts";
import { listVerdictNotes } from "../../contract/work-proof.ts";
import type { Delegation, Message, StoredTodo, StoreReader } from "../../journal/store.ts";
import { buildCriteriaRows } from "../../orchestrator/criteria-rows.ts";
import { listLimitUse } from "../../reports/story-totals.ts";
import { readDelegationFacts, type DelegationFacts } from "./delegation-facts.ts";
import type { LiveStory } from "./live-story.ts";
import type { ActionKind } from "./types/inbox.ts";
import type {
  Attempt,
  CriterionRow,
  DelegationDetail,
  MessageRow,
  NodeCost,
  TodoRow,
} from "./types/delegation.ts";
import { readHandBack } from "./hand-back.ts";
import { describeInboxEntry } from "./inbox-entries.ts";
import { sumByModel } from "./story-cost.ts";
import { changedNodes } from "./tree-nodes.ts";
import { parseTime } from "./story-summary.ts";

export interface DelegationQuestion {
  readonly story: LiveStory;
  readonly delegation: Delegation;
  readonly stateDirectory: string;
  readonly nowMs: number;
}

/** Everything about one delegation except its log and its diff; undefined if the story's events do not mention it. */
export async function readDelegationDetail(
  reader: StoreReader,
  { story, delegation, stateDirectory, nowMs }: DelegationQuestion,
): Promise<DelegationDetail | undefined> {
  const seen = story.findNode(delegation.id);
  const node = changedNodes(story, [delegation.id]).find(({ id }) => id === delegation.id);
  if (seen === undefined || node === undefined) return undefined;
  const facts = await readDelegationFacts(reader, delegation);
  const { events, approvals } = facts;
  const open = approvals.filter(({ answer }) => answer === null && delegation.state !== "closed");
  const tree = open.length === 0 ? [] : await reader.storyTree(delegation.story);
  return {
    seq: story.lastSeq,
    nowMs,
    run: story.story,
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
    attempts: listAttempts(events),
    limits: listLimitUse(story.view, seen, nowMs),
    criteria: listCriteria(facts),
    handBack: readHandBack(stateDirectory, delegation, events),
    messages: facts.messages.map(describeMessage),
    todos: facts.todos.map(describeTodo),
    questions: open.map((approval) => describeInboxEntry({ approval, delegation }, tree)),
    refusals: seen.refusals,
    cost: describeCost(story, delegation, node.totalMicroUsd),
    can: listActions(delegation),
  };
}

function listAttempts(events: readonly JournalEvent[]): readonly Attempt[] {
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
    if (event.type === "attempt-started") attempts.set(number, { ...before, startedAtMs: parseTime(at) });
    if (event.type === "attempt-ended") {
      const { reason, code } = event.data;
      attempts.set(number, { ...before, endedAtMs: parseTime(at), reason, code });
    }
    if (event.type === "attempt-retried" || event.type === "attempt-lost")
      attempts.set(number, {
        ...before,
        endedAtMs: before.endedAtMs ?? parseTime(at),
        reason: event.data.reason,
      });
  }
  return [...attempts.values()].filter(({ number }) => number > 0);
}

function listCriteria({ delegation, events, approvals }: DelegationFacts): readonly CriterionRow[] {
  const times = new Map(
    events.flatMap((event) =>
      event.type === "criterion-checked" ? [[event.data.criterionId, parseTime(event.at)] as const] : [],
    ),
  );
  return buildCriteriaRows({ delegation, events, approvals }).map((row) => {
    const { id, text, required, check, verdict, evidence } = row;
    const [by, atMs] = [row.by ?? "", times.get(id) ?? null];
    return { id, text, required, check, verdict, evidence, notes: listVerdictNotes(row), by, atMs };
  });
}

function describeTodo({ item }: StoredTodo): TodoRow {
  const { id, content, status, delegated_to: worker = "", blocked } = item;
  return { id, content, status, worker, blocked: blocked?.reason ?? "" };
}

function describeCost(story: LiveStory, delegation: Delegation, totalMicroUsd: number): NodeCost {
  const { id, microUsd, inputTokens, cachedTokens, outputTokens, unpricedTokens } = delegation;
  const uses = story.costs.uses.filter(({ node }) => node === id);
  return {
    microUsd,
    totalMicroUsd,
    source: story.findNode(id)?.costSource ?? "reported",
    inputTokens,
    cachedTokens,
    outputTokens,
    unpricedTokens,
    byModel: sumByModel(uses),
  };
}

/** The actions that a person may take now; questions have their own answers. */
function listActions({ state, outcome }: Delegation): readonly ActionKind[] {
  if (state !== "closed") return ["message", "stop"];
  return outcome === "completed" ? ["retry"] : ["resume", "retry"];
}

/** The field that holds the text, by the kind of message. */
const textFields = [
  "text",
  "content",
  "question",
  "answer",
  "progress_summary",
  "result_summary",
  "blocker",
  "reason",
  "note",
] as const;

function describeMessage({ id, from, to, body, state, sentAt }: Message): MessageRow {
  return {
    id,
    from,
    to,
    kind: readText(body["type"]),
    text: textFields.map((name) => readText(body[name])).find((text) => text !== "") ?? "",
    state,
    atMs: parseTime(sentAt),
  };
}

function readText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
