import type { JournalEvent } from "../../contract/journal-event.ts";
import { type Attributes, omitUnknown, type Span, type SpanEvent } from "./span.ts";
import { attemptSpans } from "./attempts.ts";
import { checkSpans, mergeSpans } from "./proof.ts";
import type { SpanFrame } from "./frame.ts";
import { sumUse, useAttributes } from "./use.ts";
import { buildSpanId, buildTraceId, type TracedStory } from "./trace-ids.ts";

export interface SpanWishes {
  /** Includes descriptions and summaries; without it no text of a person or an agent leaves the machine. */
  readonly withContent: boolean;
  /** Names of model providers by adapter, as the conventions list them. */
  readonly providers: ReadonlyMap<string, string>;
}

/**
 * The spans of one delegation that has ended, from all of its events: itself first, then its attempts, checks and
 * merges. None while it is open. The same events give the same spans, ids included.
 */
export function buildSpans(
  story: TracedStory,
  events: readonly JournalEvent[],
  { withContent, providers }: SpanWishes,
): readonly Span[] {
  const begun = events.find(isBeginning);
  const closed = events.find(isClosing);
  if (begun === undefined || closed === undefined) return [];
  const id = begun.delegation ?? story.id;
  const frame: SpanFrame = {
    id,
    story,
    events,
    traceId: buildTraceId(story),
    spanId: buildSpanId(story, id),
    endMs: Date.parse(closed.at),
    withContent,
    providers,
  };
  const { outcome, code } = closed.data;
  const isFine = outcome === "completed" || outcome === "cancelled";
  const own: Span = {
    traceId: frame.traceId,
    spanId: frame.spanId,
    parentSpanId: begun.type === "story-opened" ? null : buildSpanId(story, begun.data.parent),
    name: `${nameOperation(begun)} ${nameWorkflow(begun) ?? findAgent(begun, id)}`,
    startMs: Date.parse(begun.at),
    endMs: frame.endMs,
    attributes: { ...describeDelegation(begun, frame), ...endAttributes(closed, frame) },
    events: notedEvents(frame),
    error: isFine ? null : (code ?? outcome),
  };
  return [own, ...attemptSpans(frame), ...checkSpans(frame), ...mergeSpans(frame)];
}

/** A refused delegation: a moment below its manager. */
export function refusalSpan(story: TracedStory, event: Refusal): Span {
  const { parent, agent, failures } = event.data;
  const codes = failures.map(({ code }) => code);
  const atMs = Date.parse(event.at);
  return {
    traceId: buildTraceId(story),
    spanId: buildSpanId(story, parent, `refusal ${event.seq}`),
    parentSpanId: buildSpanId(story, parent),
    name: "delegation refused",
    startMs: atMs,
    endMs: atMs,
    attributes: omitUnknown({
      "gen_ai.agent.name": agent,
      "ambit.story.id": story.id,
      "ambit.codes": codes,
      "error.type": codes[0],
    }),
    events: [],
    error: codes[0] ?? "REFUSED",
  };
}

type Refusal = Extract<JournalEvent, { type: "delegation-refused" }>;
type Beginning = Extract<JournalEvent, { type: "story-opened" | "delegation-admitted" }>;
type Closing = Extract<JournalEvent, { type: "delegation-closed" }>;

function isBeginning(event: JournalEvent): event is Beginning {
  return event.type === "story-opened" || event.type === "delegation-admitted";
}

function isClosing(event: JournalEvent): event is Closing {
  return event.type === "delegation-closed";
}

function findAgent(begun: Beginning, id: string): string {
  return begun.data.agent ?? id;
}

/** The conventions call a run of several agents a workflow, and one agent's part an invocation of it. */
function nameOperation({ type }: Beginning): string {
  return type === "story-opened" ? "invoke_workflow" : "invoke_agent";
}

/** A name that many stories share; a title could contain anything. */
function nameWorkflow(begun: Beginning): string | undefined {
  return begun.type === "story-opened" ? (begun.data.work?.template ?? begun.data.kind) : undefined;
}

function describeDelegation(
  begun: Beginning,
  { id, story, events, withContent, providers }: SpanFrame,
): Attributes {
  const { data } = begun;
  const { work } = data;
  const use = sumUse(events);
  return omitUnknown({
    "gen_ai.operation.name": nameOperation(begun),
    "gen_ai.workflow.name": nameWorkflow(begun),
    "gen_ai.agent.name": findAgent(begun, id),
    "gen_ai.agent.id": id,
    "gen_ai.conversation.id": data.sessionId,
    "gen_ai.provider.name": providers.get(work?.adapter ?? ""),
    "gen_ai.request.model": work?.model,
    "gen_ai.response.model": use.model,
    ...useAttributes(use, "gen_ai.usage"),
    "ambit.story.id": story.id,
    "ambit.delegation.id": id,
    "ambit.delegation.depth": begun.type === "story-opened" ? 0 : begun.data.depth,
    "ambit.manager.attempt": begun.type === "story-opened" ? undefined : begun.data.parentAttempt,
    "ambit.adapter": work?.adapter,
    "ambit.limit.usd": data.budgetMicroUsd === null ? undefined : data.budgetMicroUsd / 1_000_000,
    "ambit.limit.tokens": data.budgetTokens,
    "ambit.description": !withContent
      ? ""
      : begun.type === "story-opened"
        ? begun.data.title
        : begun.data.description,
  });
}

function endAttributes({ data, attempt }: Closing, { withContent }: SpanFrame): Attributes {
  return omitUnknown({
    "ambit.outcome": data.outcome,
    "ambit.attempts": attempt,
    "ambit.files_changed": data.filesChanged.length,
    "error.type":
      data.outcome === "completed" || data.outcome === "cancelled" ? null : (data.code ?? data.outcome),
    "ambit.summary": withContent ? data.summary : "",
  });
}

/** Momentary events of a delegation: warnings, questions, parking. Codes and ids, no texts. */
function notedEvents({ events }: SpanFrame): readonly SpanEvent[] {
  return events.flatMap((event) => {
    const attributes = describeNoted(event);
    return attributes === undefined ? [] : [{ name: event.type, atMs: Date.parse(event.at), attributes }];
  });
}

function describeNoted(event: JournalEvent): Attributes | undefined {
  switch (event.type) {
    case "limit-warned":
      return { "ambit.code": event.data.code };
    case "return-rejected":
      return { "ambit.codes": event.data.codes, "ambit.repair": event.data.repair };
    case "delegation-parked":
      return { "ambit.waiting_for": event.data.waitingFor };
    case "cancellation-requested":
      return { "ambit.by": event.data.by };
    case "approval-requested":
      return { "ambit.approval.id": event.data.approvalId, "ambit.approval.kind": event.data.kind };
    case "approval-answered":
      return { "ambit.approval.id": event.data.approvalId, "ambit.approval.answer": event.data.answer };
    case "workspace-created":
      return { "ambit.workspace.duration_ms": Math.round(event.data.durationMs) };
    default:
      return undefined;
  }
}
