import { describe, expect, it } from "vitest";
import type { AgentAdapter } from "../../src/agents/adapter-types/agent-adapter.ts";
import { claudeAdapter } from "../../src/agents/adapters/claude/program.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";
import { geminiAdapter } from "../../src/agents/adapters/gemini/program.ts";
import { opencodeAdapter } from "../../src/agents/adapters/opencode/program.ts";
import type { Usage } from "../../src/contract/usage.ts";
import { loadPrices } from "../../src/ledger/prices.ts";
import { UsageMeter, type Spent } from "../../src/ledger/usage-meter.ts";
import { eventsOf } from "../agents/conformance.ts";

const nothing: Spent = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0 };

interface Booked {
  readonly usages: readonly Usage[];
  readonly total: Spent;
  readonly meter: UsageMeter;
}

/** What the ledger makes of a run of the real program that was recorded. */
async function bookSample(
  adapter: AgentAdapter,
  name: string,
  { earlier = nothing, model }: { readonly earlier?: Spent; readonly model?: string } = {},
): Promise<Booked> {
  const priceOf = await loadPrices();
  const meter = new UsageMeter(earlier, model);
  const usages = eventsOf(adapter, name).flatMap((event) => {
    if (event.kind !== "usage") return [];
    meter.take(event, priceOf);
    return meter.due() ?? [];
  });
  const add = (sum: Spent, usage: Usage): Spent => ({
    inputTokens: sum.inputTokens + usage.inputTokens,
    cachedTokens: sum.cachedTokens + usage.cachedTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    microUsd: sum.microUsd + usage.microUsd,
  });
  return { usages, meter, total: usages.reduce(add, nothing) };
}

describe("recorded runs of real programs", () => {
  it("of claude: three requests are booked live, the output with the total, and the dollars match the price list", async () => {
    const { usages, total, meter } = await bookSample(claudeAdapter, "claude-stream-json.jsonl");
    expect(usages.filter(({ inputTokens }) => inputTokens === 1000)).toHaveLength(3);
    expect(total).toStrictEqual({
      inputTokens: 3000,
      cachedTokens: 600,
      outputTokens: 150,
      microUsd: 11_430,
    });
    expect(meter.cost()).toMatchObject({ reportedMicroUsd: 11_430, estimatedMicroUsd: 11_430 });
  });

  it("of claude: a resumed run adds only the new part of its session", async () => {
    const earlier = { inputTokens: 3000, cachedTokens: 600, outputTokens: 150, microUsd: 11_430 };
    const { total } = await bookSample(claudeAdapter, "claude-result-resumed-cumulative-cost.jsonl", {
      earlier,
    });
    expect(total).toStrictEqual({ inputTokens: 2000, cachedTokens: 400, outputTokens: 100, microUsd: 7620 });
  });

  it("of codex: the second run of a thread reports the first one again, which is booked only once", async () => {
    const model = "gpt-5.3-codex";
    const first = await bookSample(codexAdapter, "codex-resume-first-run.jsonl", { model });
    expect(first.total).toMatchObject({ inputTokens: 1600, cachedTokens: 400, outputTokens: 100 });
    const second = await bookSample(codexAdapter, "codex-resume-cumulative-usage.jsonl", {
      earlier: first.total,
      model,
    });
    expect(second.total).toMatchObject({ inputTokens: 800, cachedTokens: 200, outputTokens: 50 });
    expect(second.total.microUsd * 2).toBe(first.total.microUsd);
    expect(second.usages).toMatchObject([{ source: "estimated" }]);
  });

  it("of opencode: every step has its own dollars", async () => {
    const { usages, total } = await bookSample(opencodeAdapter, "opencode-run.jsonl");
    expect(usages.map(({ microUsd, source }) => [microUsd, source])).toStrictEqual([
      [3210, "reported"],
      [3210, "reported"],
      [3210, "reported"],
    ]);
    expect(total).toMatchObject({ inputTokens: 2400, cachedTokens: 600, outputTokens: 150 });
  });

  it("of gemini: usage is booked at the end, by model, at list price", async () => {
    const { usages, total } = await bookSample(geminiAdapter, "gemini-stream-json.jsonl");
    expect(usages).toMatchObject([{ model: "gemini-2.5-pro", source: "estimated" }]);
    expect(total).toMatchObject({ inputTokens: 2400, cachedTokens: 600, outputTokens: 150 });
    expect(total.microUsd).toBeGreaterThan(4000);
  });
});
