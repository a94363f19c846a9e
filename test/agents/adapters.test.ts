import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunSpec } from "../../src/agents/adapter-types/agent-adapter.ts";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { scriptSchema, chooseSteps } from "../../src/agents/scripted/script.ts";
import { parseUsageLine, renderUsageLine } from "../../src/agents/adapters/command/usage-line.ts";

const find = createAdapterFinder(["node", "ambit.js", "__worker"]);
const spec: RunSpec = {
  agent: "a",
  prompt: "Do it",
  command: ["prog", "-x"],
  attempt: 2,
  turn: "begin",
  returnFile: "/r.json",
  agentHome: "/state/agents/S-1",
  userHome: "/home/user",
  handoverFile: "/h.md",
};

describe("command adapter", () => {
  it("passes the prompt on stdin and the return file in the environment", () => {
    expect(find("command").build(spec)).toEqual({
      argv: ["prog", "-x"],
      environment: {
        AMBIT_RETURN_FILE: "/r.json",
        AMBIT_HANDOVER_FILE: "/h.md",
        AMBIT_ATTEMPT: "2",
        AMBIT_TURN: "begin",
      },
      stdin: "Do it",
    });
    const { command: _, ...without } = spec;
    expect(() => find("command").build(without)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("never throws on a line, and accepts only complete usage reports", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(find("command").parse(line)).toHaveLength(1);
      }),
    );
    expect(find("command").parse('{"ambit":"usage","input_tokens":1')).toEqual([
      { kind: "text", text: '{"ambit":"usage","input_tokens":1' },
    ]);
  });

  it("judges a run by how its process ended, and takes all of its text as the final message", () => {
    const events = [{ kind: "text", text: "a" } as const, { kind: "text", text: "b" } as const];
    expect(find("command").settle({ code: 0, signal: null }, events)).toEqual({
      ok: true,
      finalText: "a\nb",
      reason: "exited with code 0",
    });
    expect(find("command").settle({ code: 3, signal: null }, [])).toMatchObject({
      ok: false,
      reason: "exited with code 3",
    });
    expect(find("command").settle({ code: 3, signal: null, lastError: "no such thing" }, [])).toMatchObject({
      reason: "exited with code 3 and said: no such thing",
    });
    expect(find("command").settle({ code: null, signal: "SIGKILL" }, [])).toMatchObject({
      ok: false,
      reason: "was ended by SIGKILL",
    });
  });

  it("is found by name, and an unknown name lists the others", () => {
    expect(find("scripted").build(spec).argv).toEqual(["node", "ambit.js", "__worker", "prog", "-x"]);
    expect(find("scripted").parse("x")).toEqual([{ kind: "text", text: "x" }]);
    expect(() => find("nobody")).toThrow(expect.objectContaining({ code: "TOOL_UNAVAILABLE" }));
  });
});

describe("usage line", () => {
  it("survives a round trip (R48)", () => {
    const amount = fc.nat(10 ** 9);
    fc.assert(
      fc.property(amount, amount, amount, amount, (inputTokens, cachedTokens, outputTokens, microUsd) => {
        const usage = {
          model: "m",
          inputTokens,
          cachedTokens,
          outputTokens,
          microUsd,
          source: "simulated" as const,
        };
        expect(parseUsageLine(renderUsageLine(usage))).toEqual(usage);
      }),
    );
  });

  it("refuses negative, fractional, missing and absurd figures", () => {
    const line = (fields: object): string => JSON.stringify({ ambit: "usage", ...fields });
    expect(parseUsageLine(line({ input_tokens: 1, output_tokens: 2 }))).toMatchObject({ microUsd: null });
    expect(parseUsageLine(line({ input_tokens: 1, output_tokens: 2, usd: 0 }))).toMatchObject({
      microUsd: 0,
    });
    for (const bad of [
      {},
      { input_tokens: -1, output_tokens: 1 },
      { input_tokens: 1.5, output_tokens: 1 },
      { input_tokens: "1", output_tokens: 1 },
      { input_tokens: 1, output_tokens: 1, usd: -1 },
      { input_tokens: 1, output_tokens: 1, usd: "x" },
    ]) {
      expect(parseUsageLine(line(bad))).toBeUndefined();
    }
    expect(
      parseUsageLine(line({ input_tokens: 1, output_tokens: 1, model: "x".repeat(3000) })),
    ).toBeUndefined();
  });
});

describe("script", () => {
  it("may differ by attempt; an unlisted attempt repeats the last one", () => {
    const script = scriptSchema.parse({ attempts: [[{ say: "one" }], [{ say: "two" }]] });
    expect([1, 2, 3].map((attempt) => chooseSteps(script, { attempt, kind: "begin" }))).toEqual([
      [{ say: "one" }],
      [{ say: "two" }],
      [{ say: "two" }],
    ]);
    expect(chooseSteps(scriptSchema.parse([{ exit: 3 }]), { attempt: 5, kind: "retry" })).toEqual([
      { exit: 3 },
    ]);
  });

  it("may differ by the reason of an attempt; an unlisted reason follows the first one", () => {
    const script = scriptSchema.parse({ begin: [{ say: "one" }], repair: [{ say: "two" }] });
    const kinds = ["begin", "repair", "conflict"];
    expect(kinds.map((kind) => chooseSteps(script, { attempt: 2, kind }))).toEqual([
      [{ say: "one" }],
      [{ say: "two" }],
      [{ say: "one" }],
    ]);
  });

  it("refuses unknown steps", () => {
    expect(scriptSchema.safeParse([{ explode: true }]).success).toBe(false);
    expect(scriptSchema.safeParse([{ exit: 256 }]).success).toBe(false);
    expect(scriptSchema.safeParse({ attempts: [] }).success).toBe(false);
  });
});
