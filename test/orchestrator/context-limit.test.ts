import { describe, expect } from "vitest";
import { it, type TestRuntime } from "./open-runtime.ts";
import { delegate, done } from "./steps.ts";

/** Hands out in its first turn, and ends when the results are there. */
const divides = (...begin: readonly object[]) => ({ begin, results: [done()] });

function refusedCodes(runtime: TestRuntime, story: string): readonly (readonly string[])[] {
  return runtime.events.flatMap((event) =>
    event.type === "delegation-refused" && event.story === story
      ? [event.data.failures.map(({ code }) => code)]
      : [],
  );
}

describe("a request beyond the context limit", () => {
  it("is refused at 100,000 tokens by what the manager reports and the request brings (R11, R15, R62, R125)", async ({
    open,
  }) => {
    const runtime = await open();
    runtime.agent("x", [done()]);
    runtime.project.write("long.txt", "A line of text.\n".repeat(10_000));
    const uses = (input: number) => ({ spend: { input, output: 10 } });
    const small = { description: "Small", agent: "x" };
    const large = { ...small, description: "Large", context: "word ".repeat(3000) };
    await runtime.run("L20", divides(uses(98_000), delegate([small]), delegate([large])));
    expect(refusedCodes(runtime, "L20")).toEqual([["CONTEXT_BUDGET_EXCEEDED"]]);
    const told = runtime.output("L20", 1);
    expect(told).toContain("Agent context budget (100k tokens) exceeded. Simplify subtask.");
    expect(told).toContain("Current context: 98,010 tokens");
    expect((await runtime.read("L20")).workers).toBe(1);
    const names = { ...small, description: "Shorten long.txt" };
    const asks = { ...small, context_tokens: 60_000 };
    await runtime.run("L21", divides(uses(90_000), delegate([names]), delegate([asks]), delegate([small])));
    expect(refusedCodes(runtime, "L21")).toEqual([["CONTEXT_BUDGET_EXCEEDED"], ["CONTEXT_BUDGET_EXCEEDED"]]);
    await runtime.run("L22", divides(uses(30_000), delegate([large]), delegate([names]), delegate([asks])));
    expect(refusedCodes(runtime, "L22")).toEqual([]);
  });
});
