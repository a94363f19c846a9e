import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/journal/store.ts";
import { telemetryProviders } from "../../../src/agents/agent-programs.ts";
import { readTraces, type TraceStep } from "../../../src/telemetry/read-traces.ts";
import type { Span } from "../../../src/telemetry/spans/span.ts";
import { attemptSpanId, buildSpanId, buildTraceId } from "../../../src/telemetry/spans/trace-ids.ts";
import {
  complete,
  end,
  fillSeedStory,
  FakeClock,
  lease,
  openStory,
  start,
} from "../../reports/fill-store.ts";
import { temporaryStore } from "../../reports/temporary-store.ts";

async function spansOf(
  store: Store,
  question: { withContent?: boolean; after?: number } = {},
): Promise<readonly Span[]> {
  const steps: TraceStep[] = [];
  for await (const step of readTraces(store, {
    withContent: false,
    providers: telemetryProviders,
    after: 0,
    ...question,
  }))
    steps.push(step);
  return steps.flatMap(({ spans }) => spans);
}

function find(spans: readonly Span[], delegation: string, name: RegExp): Span {
  const found = spans.find(
    (span) => span.attributes["ambit.delegation.id"] === delegation && name.test(span.name),
  );
  if (found === undefined) throw new Error(`no span ${name.source} of ${delegation}`);
  return found;
}

describe("trace ids", () => {
  const story = { id: "US-007", openedAt: "2026-01-20T10:30:00.000Z" };

  it("are the same for the same work, in OpenTelemetry's format", () => {
    expect(buildTraceId(story)).toBe(buildTraceId({ ...story }));
    expect(buildTraceId(story)).toMatch(/^[0-9a-f]{32}$/);
    expect(buildSpanId(story, "US-007-DEL-001")).toMatch(/^[0-9a-f]{16}$/);
    expect(attemptSpanId(story, "US-007", 1)).not.toBe(attemptSpanId(story, "US-007", 2));
  });

  it("differ for a story of the same name that was opened at another time", () => {
    const other = { ...story, openedAt: "2026-01-20T10:30:00.001Z" };
    expect(buildTraceId(other)).not.toBe(buildTraceId(story));
    expect(buildSpanId(other, "US-007")).not.toBe(buildSpanId(story, "US-007"));
  });
});

describe("spans of the worked example", () => {
  it("are nested like the delegations, with an attempt and a merge each", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    const spans = await spansOf(store);
    const root = find(spans, "US-007", /^invoke_workflow story$/);
    const first = find(spans, "US-007-DEL-001", /^invoke_agent/);
    const nested = find(spans, "US-007-DEL-001-DEL-001", /^invoke_agent/);
    expect(root.parentSpanId).toBeNull();
    expect(root.attributes).toMatchObject({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "story",
      "gen_ai.agent.name": "orchestrator",
    });
    expect(first.attributes).not.toHaveProperty(["gen_ai.workflow.name"]);
    expect(first.parentSpanId).toBe(root.spanId);
    expect(nested.parentSpanId).toBe(first.spanId);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(
      spans.filter(({ name }) => name === "attempt 1").map(({ parentSpanId }) => parentSpanId),
    ).toHaveLength(5);
    expect(find(spans, "US-007-DEL-001", /^attempt 1$/)).toMatchObject({ parentSpanId: first.spanId });
    expect(find(spans, "US-007-DEL-001", /^merge$/)).toMatchObject({
      parentSpanId: first.spanId,
      attributes: { "ambit.merge.into": "ambit/US-007", "ambit.files_changed": 2 },
    });
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  it("carry name, model, tokens and dollars under the conventional names, each usage once", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    const spans = await spansOf(store);
    const first = find(spans, "US-007-DEL-001", /^invoke_agent/);
    expect(first).toMatchObject({
      name: "invoke_agent implementer",
      startMs: Date.parse("2026-01-20T10:30:00Z"),
      endMs: Date.parse("2026-01-20T10:45:00Z"),
      error: null,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "implementer",
        "gen_ai.agent.id": "US-007-DEL-001",
        "gen_ai.conversation.id": expect.stringMatching(/^sess_/),
        "gen_ai.usage.input_tokens": 12_500,
        "gen_ai.usage.output_tokens": 3200,
        "ambit.cost.usd": 0.45,
        "ambit.cost.source": "reported",
        "ambit.outcome": "completed",
      },
    });
    const sum = (name: string): number =>
      spans.reduce((total, { attributes }) => total + Number(attributes[name] ?? 0), 0);
    expect([sum("gen_ai.usage.input_tokens"), sum("gen_ai.usage.output_tokens")]).toStrictEqual([
      60_000, 17_600,
    ]);
  });

  it("hold no text of a person or an agent unless requested", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    const silent = JSON.stringify(await spansOf(store));
    for (const text of ["Add authentication", "JWT service", "Done."]) expect(silent).not.toContain(text);
    const told = JSON.stringify(await spansOf(store, { withContent: true }));
    for (const text of ["Add authentication", "JWT service", "Done."]) expect(told).toContain(text);
  });

  it("are the same when read again, from any event on", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    const all = await spansOf(store);
    expect(await spansOf(store)).toStrictEqual(all);
    const { seq } = await store.head();
    expect(await spansOf(store, { after: seq - 1 })).toStrictEqual(
      all.filter(({ attributes }) => attributes["ambit.delegation.id"] === "US-007"),
    );
  });
});

describe("spans of work that goes wrong", () => {
  it("show each attempt, verdict and refusal, and why it ended", async () => {
    const store = temporaryStore(new FakeClock());
    await openStory(store, "S", "Story");
    const { id } = await start(store, "S", { description: "Try", agent: "tester" });
    const about = { story: "S", delegation: id } as const;
    const ended = { reason: "exited", exitCode: 1, code: "AGENT_FAILED", durationMs: 12.4 };
    await store.record({ ...about, type: "attempt-ended", attempt: 1, data: ended });
    await store.record({
      ...about,
      type: "attempt-retried",
      attempt: 1,
      data: { reason: "red", kind: "retry" },
    });
    await store.begin(id, 2, lease);
    const verdict = {
      criterionId: "c1",
      text: "Tests pass",
      verdict: "failed",
      evidence: "1 red",
      by: "ambit",
    } as const;
    await store.record({ ...about, type: "criterion-checked", attempt: 2, data: verdict });
    const refused = { code: "MERGE_CONFLICT", message: "a.txt", files: ["a.txt"] };
    await store.record({ ...about, type: "merge-refused", attempt: 2, data: refused });
    await store.settle(id, 2, { outcome: "failed", code: "CHECK_FAILED", summary: "Red." });
    await store.admit({
      parent: "S",
      parentAttempt: 1,
      requests: [{ description: "x".repeat(600), agent: "tester" }],
    });
    await end(store, "S", { outcome: "cancelled", summary: "Enough." });
    const spans = await spansOf(store);
    const own = find(spans, id, /^invoke_agent tester$/);
    expect(own).toMatchObject({
      error: "CHECK_FAILED",
      attributes: { "error.type": "CHECK_FAILED", "ambit.attempts": 2 },
    });
    expect(find(spans, id, /^attempt 1$/)).toMatchObject({
      error: "AGENT_FAILED",
      attributes: { "process.exit.code": 1, "ambit.turn": "begin", "ambit.process.duration_ms": 12 },
    });
    expect(find(spans, id, /^attempt 2$/)).toMatchObject({
      error: null,
      attributes: { "ambit.turn": "retry" },
    });
    expect(find(spans, id, /^check c1$/)).toMatchObject({ parentSpanId: own.spanId, error: "CHECK_FAILED" });
    expect(find(spans, id, /^merge$/)).toMatchObject({ parentSpanId: own.spanId, error: "MERGE_CONFLICT" });
    const root = find(spans, "S", /^invoke_workflow/);
    expect(root.error).toBeNull();
    expect(spans.find(({ name }) => name === "delegation refused")).toMatchObject({
      parentSpanId: root.spanId,
      error: "DESCRIPTION_TOO_LONG",
    });
  });

  it("are errors when a process exits with a number of its own", async () => {
    const store = temporaryStore(new FakeClock());
    await openStory(store, "S", "Story");
    const { id } = await start(store, "S", { description: "Try", agent: "tester" });
    const data = { reason: "exited", exitCode: 3, code: null, durationMs: 1 };
    await store.record({ story: "S", delegation: id, type: "attempt-ended", attempt: 1, data });
    await end(store, id, { outcome: "failed", code: "CHECK_FAILED", summary: "Red." });
    expect(find(await spansOf(store), id, /^attempt 1$/)).toMatchObject({
      error: "exit 3",
      attributes: { "error.type": "exit 3", "process.exit.code": 3 },
    });
  });

  it("do not exist while the work is open", async () => {
    const store = temporaryStore(new FakeClock());
    await openStory(store, "S", "Story");
    await start(store, "S", { description: "Goes on" });
    expect(await spansOf(store)).toStrictEqual([]);
  });
});
