import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalEvent } from "../../src/contract/journal-event.ts";
import { buildViewDocument } from "../../src/reports/story-document.ts";
import {
  nameOf,
  shownState,
  stateWord,
  type StoryNode,
  type StoryView,
  emptyView,
  readSeenEvent,
  findRootNode,
  seeEvent,
  seeOutput,
  listWorkerNodes,
  type SeenEvent,
} from "../../src/reports/story-view.ts";
import { measureElapsedMs, listLimitUse, sumStoryTotals } from "../../src/reports/story-totals.ts";
import { FakeClock, fillSeedStory } from "./fill-store.ts";
import { busyStory, idOf, STORY, StoryTape, timeOf } from "./story-tape.ts";
import { temporaryStore } from "./temporary-store.ts";

function nodeOf(view: StoryView, label: string): StoryNode {
  const node = view.nodes.get(idOf(label));
  if (node === undefined) throw new Error(`no node ${label}`);
  return node;
}

function stateOf(tape: StoryTape, label = "1"): string {
  return shownState(nodeOf(tape.view(), label));
}

describe("a tree of nodes", () => {
  it("has labels that show the path, and workers in the order of their numbers", () => {
    const view = busyStory().view();
    expect(findRootNode(view)).toMatchObject({ id: STORY, label: "", depth: 0, title: "Add OAuth login" });
    expect(listWorkerNodes(view, findRootNode(view)).map(({ label }) => label)).toStrictEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(nodeOf(view, "2.1")).toMatchObject({
      label: "2.1",
      depth: 2,
      parent: idOf("2"),
      title: "validators",
    });
    expect([nameOf(findRootNode(view)), nameOf(nodeOf(view, "2.1"))]).toStrictEqual([STORY, "2.1"]);
  });

  it("carries agent, model, attempt, cost, tokens, files, criteria and refusals of each (R98, R103)", () => {
    const view = busyStory().view();
    expect(nodeOf(view, "1")).toMatchObject({
      agent: "claude",
      model: "sonnet",
      attempt: 1,
      microUsd: 310_000,
      tokens: 123,
      costSource: "reported",
      filesChanged: ["a", "b", "c", "d"],
      criteria: { passed: 3, total: 3 },
      outcome: "completed",
    });
    expect(nodeOf(view, "2.1").criteria).toMatchObject({ passed: 1, total: 1 });
    expect(nodeOf(view, "2.2").refusals).toStrictEqual([
      { description: "even deeper", codes: ["MAX_DEPTH_EXCEEDED"] },
    ]);
    expect(nodeOf(view, "4").dependsOn).toStrictEqual([idOf("1"), idOf("2"), idOf("3")]);
  });

  it("counts required criteria only: work is done without the others", () => {
    const criteria = [
      { id: "c1", text: "npm test passes", required: true },
      { id: "c2", text: "All is well", required: false },
      { id: "c3", text: "It is pretty", required: false },
    ];
    const checked = { text: "", by: "runtime" };
    const tape = new StoryTape()
      .open("Story")
      .start("1", "checked", { criteria: criteria.map(({ text }) => text), work: { criteria } })
      .add("criterion-checked", "1", { ...checked, criterionId: "c1", verdict: "passed" })
      .add("criterion-checked", "1", { ...checked, criterionId: "c2", verdict: "unverified" })
      .add("delegation-verified", "1", { passed: 1, failed: 0, unverified: 2 })
      .close("1");
    expect(nodeOf(tape.view(), "1").criteria).toMatchObject({ passed: 1, total: 1 });
  });

  it("sums up the story: workers done, cost against budget, time, depth, and open requests", () => {
    const totals = sumStoryTotals(busyStory().view(), timeOf("12:04:12"));
    expect(totals).toMatchObject({
      done: 2,
      workers: 6,
      refused: 1,
      microUsd: 600_000,
      budgetMicroUsd: 5_000_000,
      tokens: 492,
      elapsedMs: 252_000,
      timeoutMs: 1_800_000,
      depth: 2,
      maxDepth: 3,
    });
    expect(totals.needsYou.map(({ label }) => label)).toStrictEqual(["3"]);
  });

  it("lists how much of its limits a node has used", () => {
    const view = busyStory().view();
    expect(listLimitUse(view, nodeOf(view, "2"), timeOf("12:04:12"))).toStrictEqual([
      { name: "cost", used: 220_000, of: null },
      { name: "tokens", used: 123, of: null },
      { name: "time", used: 122_000, of: 600_000 },
      { name: "workers", used: 2, of: 5 },
      { name: "depth", used: 1, of: 3 },
    ]);
    expect(listLimitUse(view, findRootNode(view), 0)[0]).toStrictEqual({
      name: "cost",
      used: 0,
      of: 5_000_000,
    });
  });

  it("has a form as JSON for other programs", () => {
    const document = buildViewDocument(busyStory().view(), timeOf("12:04:12"));
    expect(document).toMatchObject({ story: STORY, total_delegations: 6, ended: 2, total_cost_usd: 0.6 });
    expect(document["delegations"]).toContainEqual({
      id: idOf("2.1"),
      path: "2.1",
      title: "validators",
      status: "done",
      outcome: "completed",
      code: null,
      summary: "Done.",
      agent: "claude",
      attempt: 1,
      files_changed: ["v"],
      criteria_passed: 1,
      criteria_total: 1,
      cost_usd: 0.04,
      tokens: 123,
      duration_ms: 41_000,
      refused: [],
    });
  });
});

describe("states", () => {
  const began = (): StoryTape => new StoryTape().open("Story").start("1", "work");

  it("follow a delegation from queue to end (R98)", () => {
    const tape = new StoryTape().open("Story").admit("1", "work");
    const states = [stateOf(tape)];
    for (const [type, data] of [
      ["attempt-started", {}],
      ["delegation-parked", { waitingFor: [idOf("1.1")] }],
      ["delegation-rejoined", {}],
      ["delegation-returned", { summary: "Wrote it." }],
      ["criterion-checked", { criterionId: "a", text: "builds", verdict: "failed" }],
      ["delegation-verified", { passed: 1, failed: 0, unverified: 0 }],
      ["merge-repeated", { reason: "moved" }],
      ["delegation-verified", { passed: 1, failed: 0, unverified: 0 }],
      ["delegation-merged", { filesChanged: ["x"] }],
      ["delegation-closed", { outcome: "completed" }],
    ] as const) {
      states.push(stateOf(tape.add(type, "1", data)));
    }
    expect(states).toStrictEqual([
      "queued",
      "running",
      "parked",
      "running",
      "returned",
      "checking",
      "verified",
      "returned",
      "verified",
      "merged",
      "completed",
    ]);
  });

  it.each(["completed", "partial", "failed", "blocked", "cancelled", "timed_out"])(
    "can end as %s",
    (outcome) => {
      const tape = began().close("1", outcome, { code: "X", summary: "Because." });
      expect(stateOf(tape)).toBe(outcome);
      expect(nodeOf(tape.view(), "1")).toMatchObject({ outcome, code: "X", summary: "Because." });
    },
  );

  it("have words for people", () => {
    const words = (["parked", "completed", "timed_out", "needs you"] as const).map(stateWord);
    expect(words).toStrictEqual(["waiting", "done", "timed out", "needs you"]);
  });

  it("say that a person is needed until every question is answered", () => {
    const ask = (id: string): object => ({ approvalId: id, kind: "cost", question: "More?", details: [] });
    const tape = began().add("approval-requested", "1", ask("A1")).add("approval-requested", "1", ask("A2"));
    expect(stateOf(tape)).toBe("needs you");
    tape.add("approval-answered", "1", { approvalId: "A1", answer: "approved", by: "person", reason: "" });
    expect(stateOf(tape)).toBe("needs you");
    tape.add("approval-answered", "1", { approvalId: "A2", answer: "rejected", by: "person", reason: "no" });
    expect(stateOf(tape)).toBe("running");
    expect(nodeOf(tape.view(), "1").activity).toBe("rejected by person");
  });

  it("show that it is stopping, from the request to the end", () => {
    const tape = began().add("cancellation-requested", "1", { reason: "Ctrl-C", by: "person" });
    expect(stateOf(tape)).toBe("stopping");
    expect(stateOf(tape.close("1", "cancelled"))).toBe("cancelled");
  });

  it("stay closed when late events arrive, but reopen with a newer attempt", () => {
    const tape = began().spend("1", 1).close("1", "failed", { code: "NOT_JSON" });
    tape.add("attempt-started", "1").add("delegation-returned", "1", { summary: "late" }).close("1");
    expect(nodeOf(tape.view(), "1")).toMatchObject({ outcome: "failed", code: "NOT_JSON" });
    tape.add("attempt-started", "1", {}, 2);
    expect(nodeOf(tape.view(), "1")).toMatchObject({
      state: "running",
      outcome: null,
      code: null,
      attempt: 2,
    });
    expect(nodeOf(tape.spend("1", 1).view(), "1").microUsd).toBe(2_000_000);
  });

  it("say when a retry is due, and why", () => {
    const tape = began()
      .at("12:00:10")
      .add("attempt-retried", "1", { reason: "no JSON", kind: "repair", afterMs: 4000 });
    expect(nodeOf(tape.view(), "1")).toMatchObject({
      state: "queued",
      retryAtMs: timeOf("12:00:14"),
      activity: "repairs its return",
    });
    tape.add("attempt-started", "1", {}, 2);
    expect(nodeOf(tape.view(), "1")).toMatchObject({ state: "running", retryAtMs: null });
  });

  it("say what a queued delegation waits for, as long as it waits", () => {
    const tape = new StoryTape().open("Story").admit("1", "work");
    tape.add("attempt-waiting", "1", { reason: "waits for a slot: 3 of 3 in use" });
    expect(nodeOf(tape.view(), "1").waitReason).toBe("waits for a slot: 3 of 3 in use");
    expect(nodeOf(tape.add("attempt-started", "1").view(), "1").waitReason).toBe("");
  });
});

describe("counting", () => {
  it("marks a sum by its least certain part", () => {
    const source = (...sources: string[]): string => {
      const tape = new StoryTape().open("Story").start("1", "work");
      for (const name of sources) tape.spend("1", 0.1, name);
      return nodeOf(tape.view(), "1").costSource;
    };
    expect(source("reported")).toBe("reported");
    expect(source("reported", "simulated", "estimated")).toBe("simulated");
    expect(source("estimated", "reported")).toBe("estimated");
    expect(source("made up")).toBe("estimated");
    expect(sumStoryTotals(new StoryTape().open("S").spend("", 1, "simulated").view(), 0).costSource).toBe(
      "simulated",
    );
  });

  it("confirms an estimate once the agent reports the same sum, in that attempt only", () => {
    const source = (reported: number | null, ...earlier: string[]): string => {
      const tape = new StoryTape().open("Story").start("1", "work");
      for (const name of earlier) tape.spend("1", 0.1, name);
      tape.add("attempt-lost", "1", { reason: "killed" }).add("attempt-started", "1", {}, 2);
      tape.spend("1", 0.1, "estimated");
      const cost = { bookedMicroUsd: 100_000, reportedMicroUsd: reported };
      return nodeOf(tape.add("attempt-ended", "1", { cost }, 2).view(), "1").costSource;
    };
    expect(source(100_000)).toBe("reported");
    expect(source(90_000)).toBe("estimated");
    expect(source(null)).toBe("estimated");
    expect(source(100_000, "estimated")).toBe("estimated");
    expect(source(100_000, "reported")).toBe("reported");
  });

  it("counts a criterion once, by its newest verdict, and a waived one as passed", () => {
    const tape = new StoryTape().open("Story").start("1", "work", { work: { criteria: [{}, {}] } });
    const verdict = (criterionId: string, name: string): StoryTape =>
      tape.add("criterion-checked", "1", {
        criterionId,
        text: "t",
        verdict: name,
        evidence: "",
        by: "runtime",
      });
    expect(nodeOf(tape.view(), "1").criteria).toMatchObject({ passed: 0, total: 2 });
    verdict("a", "failed");
    verdict("b", "passed");
    expect(nodeOf(tape.view(), "1").criteria).toMatchObject({ passed: 1, total: 2 });
    verdict("a", "waived");
    expect(nodeOf(tape.view(), "1").criteria).toMatchObject({ passed: 2, total: 2 });
  });

  it("keeps the reason for a refused merge until the next attempt", () => {
    const refused = { code: "MERGE_CONFLICT", message: "no", files: ["a.ts", "b.ts"] };
    const tape = new StoryTape().open("Story").start("1", "work").add("merge-refused", "1", refused);
    expect(nodeOf(tape.view(), "1")).toMatchObject({
      mergeRefusal: { code: "MERGE_CONFLICT", files: ["a.ts", "b.ts"] },
      activity: "not merged, MERGE_CONFLICT: a.ts, b.ts",
    });
    expect(nodeOf(tape.add("attempt-started", "1", {}, 2).view(), "1").mergeRefusal).toBeNull();
  });

  it("keeps files that were left by a limit", () => {
    const tape = new StoryTape().open("Story").start("1", "work");
    tape.add("work-kept", "1", { tip: "t", base: "b", filesChanged: ["half.ts"] }).close("1", "partial");
    expect(nodeOf(tape.view(), "1").filesChanged).toStrictEqual(["half.ts"]);
  });

  it("counts time from the first attempt to the end", () => {
    const tape = new StoryTape().open("Story").admit("1", "work");
    expect(measureElapsedMs(nodeOf(tape.view(), "1"), timeOf("12:09:00"))).toBeNull();
    tape.at("12:01:00").add("attempt-started", "1").at("12:02:00").add("attempt-started", "1", {}, 2);
    expect(measureElapsedMs(nodeOf(tape.view(), "1"), timeOf("12:03:00"))).toBe(120_000);
    tape.at("12:04:00").close("1");
    expect(measureElapsedMs(nodeOf(tape.view(), "1"), timeOf("12:09:00"))).toBe(180_000);
  });
});

describe("activity", () => {
  const running = new StoryTape().open("Story").start("1", "work").view();

  it.each([
    ["editing a.ts", "editing a.ts"],
    ["one\ntwo\n\n", "two"],
    ["progress 1%\rprogress 2%\r", "progress 2%"],
    ["  \n\t\n", ""],
    ["x".repeat(20_000), "x".repeat(500)],
  ])("is the last meaningful line", (text, activity) => {
    expect(nodeOf(seeOutput(running, idOf("1"), { text, atMs: 0 }), "1").activity).toBe(activity);
  });

  it("does not change an unknown or closed delegation", () => {
    expect(seeOutput(running, "US-1-DEL-009", { text: "hello", atMs: 0 })).toBe(running);
    const ended = new StoryTape().open("Story").start("1", "work").close("1").view();
    expect(seeOutput(ended, idOf("1"), { text: "late", atMs: 0 })).toBe(ended);
  });

  it.each([
    [
      "return-rejected",
      { codes: ["NOT_JSON", "TRUNCATED"], repair: 1 },
      "return rejected: NOT_JSON, TRUNCATED",
    ],
    ["limit-warned", { code: "TIMEOUT", message: "90 % used" }, "TIMEOUT: 90 % used"],
    ["delegation-returned", { summary: "All done.\n" }, "All done."],
    ["note-added", { text: "resumed" }, "resumed"],
    ["delegation-resumed", { kind: "results" }, "gets its workers' results"],
    ["message-sent", { from: idOf("1"), to: STORY, body: { question: "uuid?" } }, "uuid?"],
    ["message-sent", { from: STORY, to: idOf("1"), body: { question: "uuid?" } }, ""],
  ])("also comes from an event %s", (type, data, activity) => {
    const view = new StoryTape().open("Story").start("1", "work").add(type, "1", data).view();
    expect(nodeOf(view, "1").activity).toBe(activity);
  });
});

describe("with any events, the view", () => {
  it("shows what is known if the first events are missing", () => {
    const late = busyStory().events.filter(
      ({ type }) => !["story-opened", "delegation-admitted"].includes(type),
    );
    const view = late.reduce(seeEvent, emptyView(STORY));
    expect(listWorkerNodes(view, findRootNode(view)).map(({ label }) => label)).toStrictEqual([
      "1",
      "2",
      "3",
    ]);
    expect(nodeOf(view, "2.2")).toMatchObject({
      label: "2.2",
      state: "running",
      title: "",
      microUsd: 30_000,
    });
    expect(sumStoryTotals(view, timeOf("12:04:12"))).toMatchObject({
      elapsedMs: 0,
      maxDepth: null,
      workers: 5,
    });
  });

  it("builds the parents of a worker whose start was never seen", () => {
    const view = new StoryTape().add("attempt-started", "3.2.1").view();
    expect([...view.nodes.values()].map(({ label }) => label)).toStrictEqual(["", "3", "3.2", "3.2.1"]);
    expect(nodeOf(view, "3").workers).toStrictEqual([idOf("3.2")]);
  });

  it("places an id of another format where its event says", () => {
    const tape = new StoryTape().open("Story").start("1", "work");
    const data = { parent: idOf("1"), number: 4, description: "odd", agent: null };
    const odd = {
      seq: 99,
      at: "",
      type: "delegation-admitted",
      story: STORY,
      delegation: "odd",
      attempt: 0,
      data,
    };
    const view = seeEvent(tape.view(), odd);
    expect(view.nodes.get("odd")).toMatchObject({ parent: idOf("1"), label: "1.4", depth: 2, title: "odd" });
  });

  it("orders workers by number, whichever was seen first", () => {
    const view = new StoryTape().add("attempt-started", "3").add("attempt-started", "1").view();
    expect(listWorkerNodes(view, findRootNode(view)).map(({ label }) => label)).toStrictEqual(["1", "3"]);
  });

  it("counts no event twice, for example after reattaching", () => {
    const { events } = busyStory();
    const twice = [...events, ...events.slice(3)].reduce(seeEvent, emptyView(STORY));
    expect(twice).toStrictEqual(busyStory().view());
  });

  it("ignores other stories and unknown types", () => {
    const view = busyStory().view();
    const event: SeenEvent = {
      seq: 1000,
      at: "",
      type: "comet-seen",
      story: STORY,
      delegation: null,
      attempt: 0,
      data: {},
    };
    expect(seeEvent(view, event)).toStrictEqual({ ...view, lastSeq: 1000 });
    expect(seeEvent(view, { ...event, story: "US-2" })).toBe(view);
  });

  it("changes no earlier view", () => {
    const before = busyStory().view();
    const copy = structuredClone(before);
    seeEvent(before, {
      seq: 99,
      at: "",
      type: "usage-reported",
      story: STORY,
      delegation: idOf("2"),
      attempt: 1,
      data: { microUsd: 9 },
    });
    expect(before).toStrictEqual(copy);
  });

  it("holds every node once, for any data in any order", () => {
    const types = [
      ...new Set(busyStory().events.map(({ type }) => type)),
      "attempt-retried",
      "message-sent",
      "x",
    ];
    const anyEvent = fc.record({
      seq: fc.nat(50),
      at: fc.constantFrom("2026-01-20T12:00:00.000Z", "yesterday"),
      type: fc.constantFrom(...types),
      story: fc.constant(STORY),
      delegation: fc.constantFrom(null, STORY, idOf("1"), idOf("2.1"), "", "US-1-DEL-", "US-10-DEL-001", "x"),
      attempt: fc.nat(3),
      data: fc.oneof(
        fc.anything(),
        fc.record({
          parent: fc.constantFrom(STORY, idOf("1"), idOf("1.1"), idOf("2.1"), "x"),
          failures: fc.anything(),
        }),
      ),
    });
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const view = events.reduce(seeEvent, emptyView(STORY));
        const reached = walk(view, findRootNode(view));
        expect(reached.toSorted()).toStrictEqual([...view.nodes.keys()].toSorted());
        expect(Number.isFinite(sumStoryTotals(view, 0).microUsd)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

/** Every node hangs in the tree exactly once. */
function walk(view: StoryView, node: StoryNode): readonly string[] {
  return [node.id, ...listWorkerNodes(view, node).flatMap((worker) => walk(view, worker))];
}

describe("events from outside", () => {
  it("are read leniently; a value that is not an event is ignored", () => {
    const event = { seq: 1, at: "now", type: "t", story: "S", delegation: null, attempt: 0, data: { a: 1 } };
    expect(readSeenEvent({ ...event, more: true })).toStrictEqual(event);
    expect(readSeenEvent({ seq: 1, at: "now", type: "t", story: "S" })).toMatchObject({
      delegation: null,
      attempt: 0,
    });
    expect(["x", null, {}, { ...event, seq: "1" }].map(readSeenEvent)).toStrictEqual(
      Array(4).fill(undefined),
    );
  });

  it("of a real journal give the same sums as its reports (R102, R104)", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    const events: JournalEvent[] = (await store.newestEvents(1000)).map(({ body }) => JSON.parse(body));
    const view = events.reduce(seeEvent, emptyView("US-007"));
    const totals = sumStoryTotals(view, clock.wallMs());
    expect(totals).toMatchObject({ done: 4, workers: 4, microUsd: 3_700_000, tokens: 77_600, depth: 2 });
    const nested = view.nodes.get("US-007-DEL-001-DEL-001");
    expect(nested).toMatchObject({ label: "1.1", title: "refresh", filesChanged: ["lib/refresh.py"] });
    expect(nested === undefined ? null : measureElapsedMs(nested, 0)).toBe(540_000);
  });
});
