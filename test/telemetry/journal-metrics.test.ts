import { describe, expect, it } from "vitest";
import type { Store } from "../../src/journal/store.ts";
import { JournalMetrics } from "../../src/telemetry/journal-metrics.ts";
import { writePrometheusText } from "../../src/telemetry/prometheus-text.ts";
import { complete, end, FakeClock, fillSeedStory, openStory, spend, start } from "../reports/fill-store.ts";
import { temporaryStore } from "../reports/temporary-store.ts";
import { readPrometheusText, sampleOf, type Family } from "./prometheus-reader.ts";

type Families = ReadonlyMap<string, Family>;

const facts = { nowMs: Date.parse("2026-01-20T12:00:00Z"), isDriven: true };

async function scrape(store: Store, metrics = new JournalMetrics(new Map())): Promise<Families> {
  return readPrometheusText(writePrometheusText(await metrics.read(store, facts)));
}

describe("figures in Prometheus' text format", () => {
  it("give the counts of the worked example", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    await fillSeedStory(store, clock);
    await store.admit({
      parent: "US-007",
      parentAttempt: 1,
      requests: [{ description: "x".repeat(600), agent: "tester" }],
    });
    const families = await scrape(store);
    const read = (name: string, labels = {}): number | undefined => sampleOf(families, name, labels);
    expect(read("ambit_supervisor_up")).toBe(1);
    expect(read("ambit_stories_open")).toBe(1);
    expect(read("ambit_delegations_open")).toBe(0);
    expect(read("ambit_delegations_admitted_total", { agent: "implementer" })).toBe(1);
    expect(read("ambit_delegations_ended_total", { agent: "implementer", outcome: "completed" })).toBe(1);
    expect(read("ambit_delegations_refused_total", { code: "DESCRIPTION_TOO_LONG" })).toBe(1);
    expect(read("ambit_cost_usd_total", { agent: "implementer" })).toBe(0.45);
    expect(read("ambit_tokens_total", { type: "input" })).toBe(60_000);
    expect(read("ambit_queue_duration_seconds_count")).toBe(5);
    const invoked = { gen_ai_operation_name: "invoke_agent" };
    expect(read("gen_ai_client_operation_duration_seconds_count", invoked)).toBe(4);
    expect(read("gen_ai_client_operation_duration_seconds_bucket", { ...invoked, le: "600" })).toBe(1);
    expect(read("gen_ai_client_operation_duration_seconds_bucket", { ...invoked, le: "1200" })).toBe(4);
    expect(read("gen_ai_client_token_usage_sum", { ...invoked, gen_ai_token_type: "output" })).toBe(9600);
  });

  it("continue where any reader left off, and count nothing twice when asked at once", async () => {
    const clock = new FakeClock();
    const store = temporaryStore(clock);
    const metrics = new JournalMetrics(new Map());
    await fillSeedStory(store, clock);
    const [first, second] = await Promise.all([scrape(store, metrics), scrape(store, metrics)]);
    expect(second).toStrictEqual(first);
    await complete(store, "US-007");
    const families = await scrape(store, metrics);
    expect(sampleOf(families, "ambit_stories_ended_total", { outcome: "completed" })).toBe(1);
    expect(families).toStrictEqual(await scrape(store));
  });

  it("exist before the first story, and say that nothing is running", async () => {
    const reading = await new JournalMetrics(new Map()).read(undefined, { ...facts, isDriven: false });
    const families = readPrometheusText(writePrometheusText(reading));
    expect(sampleOf(families, "ambit_supervisor_up")).toBe(0);
    expect(families.get("ambit_cost_usd_total")).toMatchObject({ type: "counter", samples: [] });
  });

  it("tolerate model names that would break the format or fill the memory", async () => {
    const store = temporaryStore(new FakeClock());
    await openStory(store, "S", "Story");
    const { id } = await start(store, "S", { description: "Try", agent: 'a"b\\c\n} 1' });
    await spend(store, id, { in: 1, out: 1, usd: 0.1 });
    for (let index = 0; index < 600; index += 1)
      await store.spend(id, 1, {
        model: `made-up-${index}`,
        inputTokens: 1,
        cachedTokens: 0,
        outputTokens: 0,
        microUsd: 1,
        source: "reported",
      });
    await end(store, id, { outcome: "failed", code: "CHECK_FAILED", summary: "Red." });
    const families = await scrape(store);
    expect(sampleOf(families, "ambit_delegations_admitted_total", { agent: 'a"b\\c\n} 1' })).toBe(1);
    const costs = families.get("ambit_cost_usd_total")?.samples ?? [];
    expect(costs.length).toBeLessThanOrEqual(501);
    expect(costs.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(0.1006, 9);
    expect(sampleOf(families, "ambit_cost_usd_total", { model: "other" })).toBeGreaterThan(0);
  });
});
