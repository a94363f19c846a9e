import { describe, expect, it } from "vitest";
import { createAdapterFinder } from "../../../src/agents/find-adapter.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { workSpecSchema } from "../../../src/contract/work-spec.ts";
import { findFullProvider, findProvider } from "../../../src/orchestrator/delegation/find-provider.ts";
import { RateGate } from "../../../src/scheduler/rate-gate.ts";

const findAdapter = createAdapterFinder(["/bin/ambit", "worker"]);
const delegate = (adapter: string, more: object = {}) => ({
  work: workSpecSchema.parse({ adapter, ...more }),
});

describe("the provider whose account a delegation uses", () => {
  it.each([
    ["claude", { model: "openai/gpt-5", command: ["/bin/claude"] }, "anthropic"],
    ["acp", { model: "openai/gpt-5", command: ["/bin/goose", "acp"] }, "openai"],
    ["acp", { model: "gpt-5", command: ["/bin/goose", "acp"] }, "goose"],
    ["command", { model: "/gpt-5", command: ["/usr/bin/make", "all"] }, "make"],
    ["command", {}, "command"],
  ])("is its adapter's, else its model's, else its program: %s %j", (adapter, more, provider) => {
    expect(findProvider({ findAdapter }, delegate(adapter, more))).toBe(provider);
  });

  it("is that of a program for a record without a worker", () => {
    expect(findProvider({ findAdapter }, { work: null })).toBe("command");
  });
});

describe("a delegation whose provider is full", () => {
  it("does not start until the provider may answer again", () => {
    const rates = new RateGate();
    const clock = { ...systemClock, now: 0, monotonicMs: () => clock.now };
    const tools = { findAdapter, clock, rates };
    rates.closeGate("anthropic", { nowMs: 0, retryAfterMs: 1000 });
    expect(findFullProvider(tools, delegate("claude"))).toBe("anthropic");
    expect(findFullProvider(tools, delegate("codex"))).toBeUndefined();
    clock.now = 2000;
    expect(findFullProvider(tools, delegate("claude"))).toBeUndefined();
    expect(findFullProvider({ findAdapter, clock }, delegate("claude"))).toBeUndefined();
  });
});
