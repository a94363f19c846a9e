import { describe, expect, it } from "vitest";
import { filledRepository, json, openWork, run } from "../cli/commands/filled-repository.ts";
import { spend, start } from "./fill-store.ts";

function twoStories(): Promise<string> {
  return filledRepository(async (store, clock) => {
    await openWork(store, "S-1");
    const { id } = await start(store, "S-1", { description: "Write ids", agent: "=fixer" });
    await spend(store, "S-1", { in: 100, out: 10, usd: 0.5 });
    await spend(store, id, { in: 1000, out: 50, usd: 0.25, source: "estimated" });
    clock.advance(48 * 3_600_000);
    await spend(store, id, { in: 7, out: 3, usd: 0 });
  });
}

describe("ambit cost --by", () => {
  it("sums the usage of all stories, including their own", async () => {
    const answer = await json(await twoStories(), ["cost", "--by", "agent"]);
    expect(answer["groups"]).toStrictEqual([
      { group: ["=fixer"], reports: 2, tokens_in: 1007, tokens_out: 53, cost_usd: 0.25, estimated: true },
      { group: ["manager"], reports: 1, tokens_in: 100, tokens_out: 10, cost_usd: 0.5, estimated: false },
    ]);
  });

  it("writes CSV by day and model, keeps texts from being computed, and leaves an unknown cost empty", async () => {
    const directory = await twoStories();
    expect((await run(directory, ["cost", "--by", "day,agent", "--csv"])).stdout).toBe(
      `day,agent,reports,tokens_in,tokens_out,cost_usd,estimated
2026-01-20,'=fixer,1,1000,50,0.250000,true
2026-01-20,manager,1,100,10,0.500000,false
2026-01-22,'=fixer,1,7,3,,false
`,
    );
  });

  it("--since omits older usage, and the table names unreported amounts", async () => {
    const { stdout } = await run(await twoStories(), ["cost", "--by", "day", "--since", "2026-01-21"]);
    expect(stdout).toContain("2026-01-22");
    expect(stdout).toContain("not reported");
    expect(stdout).not.toContain("2026-01-20");
  });

  it.each([
    [["--by", "colour"], "Use model, agent, day."],
    [["--by", "day", "--since", "soon"], "Use 2026-11-01 or 7d."],
    [["--since", "7d"], "Add --by day, for example."],
    [["S-1", "--by", "day"], "Omit the story."],
  ])("refuses %j with advice", async (words, advice) => {
    const { exitCode, stderr } = await run(await twoStories(), ["cost", ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(advice)]);
  });
});
