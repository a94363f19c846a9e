import { defaultLimits } from "../../src/contract/limits.ts";
import { type StoryView, emptyView, seeEvent, type SeenEvent } from "../../src/reports/story-view.ts";

export const STORY = "US-1";

/** Writes down what happens to a story, as its journal would. */
export class StoryTape {
  readonly events: SeenEvent[] = [];
  #nowMs = Date.parse("2026-01-20T12:00:00Z");

  /** A time of the day, such as `12:04:31`. */
  at(time: string): this {
    this.#nowMs = Date.parse(`2026-01-20T${time}Z`);
    return this;
  }

  add(type: string, label: string, data: object = {}, attempt = 1): this {
    this.events.push({
      seq: this.events.length + 1,
      at: new Date(this.#nowMs).toISOString(),
      type,
      story: STORY,
      delegation: idOf(label),
      attempt,
      data,
    });
    return this;
  }

  open(title: string, more: object = {}): this {
    const limits = { ...defaultLimits, maxDepth: 3 };
    return this.add("story-opened", "", { kind: "story", title, agent: "claude", limits, ...more }, 0).add(
      "attempt-started",
      "",
    );
  }

  admit(label: string, description: string, more: object = {}): this {
    const parent = idOf(label.split(".").slice(0, -1).join("."));
    const number = Number(label.split(".").at(-1));
    const data = { parent, number, description, agent: "claude", criteria: [], timeoutSeconds: 600, ...more };
    return this.add("delegation-admitted", label, data, 0);
  }

  start(label: string, description: string, more: object = {}): this {
    return this.admit(label, description, more).add("attempt-started", label);
  }

  spend(label: string, usd: number, source = "reported"): this {
    const tokens = { inputTokens: 100, cachedTokens: 20, outputTokens: 3 };
    return this.add("usage-reported", label, { ...tokens, microUsd: Math.round(usd * 1_000_000), source });
  }

  close(label: string, outcome = "completed", more: object = {}): this {
    const data = { outcome, code: null, summary: "Done.", filesChanged: [], ...more };
    return this.add("delegation-closed", label, data);
  }

  view(): StoryView {
    return this.events.reduce(seeEvent, emptyView(STORY));
  }
}

/** `2.1` is US-1-DEL-002-DEL-001. */
export function idOf(label: string): string {
  const numbers = label === "" ? [] : label.split(".");
  return [STORY, ...numbers.map((number) => `DEL-${number.padStart(3, "0")}`)].join("-");
}

export function timeOf(time: string): number {
  return Date.parse(`2026-01-20T${time}Z`);
}

/** A story in the middle of its work: one of everything a person may see. */
export function busyStory(): StoryTape {
  return new StoryTape()
    .at("12:00:00")
    .open("Add OAuth login", { budgetMicroUsd: 5_000_000 })
    .start("1", "token service", { criteria: ["a", "b", "c"], work: { model: "sonnet" } })
    .spend("1", 0.31)
    .at("12:01:40")
    .add("delegation-returned", "1", { status: "completed", summary: "Service." })
    .add("delegation-verified", "1", { passed: 3, failed: 0, unverified: 0 })
    .add("delegation-merged", "1", {
      into: "ambit/US-1",
      commit: "c0ffee",
      filesChanged: ["a", "b", "c", "d"],
    })
    .close("1", "completed", { filesChanged: ["a", "b", "c", "d"] })
    .at("12:02:10")
    .start("2", "login routes", { agent: "codex" })
    .spend("2", 0.22)
    .at("12:02:30")
    .start("2.1", "validators", { criteria: ["x"], work: { model: "haiku" } })
    .spend("2.1", 0.04)
    .at("12:03:11")
    .add("criterion-checked", "2.1", { criterionId: "x", text: "npm test", verdict: "passed", by: "runtime" })
    .close("2.1", "completed", { filesChanged: ["v"] })
    .at("12:03:50")
    .start("2.2", "rate limit", { work: { model: "haiku" } })
    .spend("2.2", 0.03)
    .add("delegation-refused", "2.2", {
      parent: idOf("2.2"),
      description: "even deeper",
      failures: [{ code: "MAX_DEPTH_EXCEEDED", message: "too deep" }],
    })
    .at("12:04:00")
    .start("3", "db migration")
    .add("approval-requested", "3", {
      approvalId: "A1",
      kind: "clarification",
      question: "uuid or bigint ids?",
      details: [],
    })
    .admit("4", "e2e tests", { work: { dependsOn: [idOf("1"), idOf("2"), idOf("3")] } })
    .add("delegation-parked", "", { waitingFor: [idOf("2"), idOf("3"), idOf("4")] })
    .at("12:04:12");
}
