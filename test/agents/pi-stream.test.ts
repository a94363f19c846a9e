import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { commandAdapter } from "../../src/agents/adapters/command/adapter.ts";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import { findCapabilities } from "../../src/agents/find-capabilities.ts";
import { findBudgetHold } from "../../src/agents/provider-address.ts";

const SAMPLE = "test/samples/agents/pi-json.jsonl";
const events = (lines: readonly string[]) => lines.flatMap((line) => commandAdapter.parse(line));

it("reads pi's calls, messages and usage from what it prints", () => {
  const read = events(readFileSync(SAMPLE, "utf8").trimEnd().split("\n"));
  expect(read.map(({ kind }) => kind)).toEqual([
    "usage",
    "text",
    "final",
    "tool-called",
    "tool-ended",
    "usage",
    "text",
    "final",
  ]);
  expect(read[0]).toEqual({
    kind: "usage",
    scope: "step",
    usage: { model: "mock-1", inputTokens: 800, cachedTokens: 200, outputTokens: 50, microUsd: 3210 },
  });
  expect(read[3]).toMatchObject({ name: "write", id: "call_000001", input: expect.any(String) });
  expect(commandAdapter.settle({ code: 0, signal: null }, read)).toMatchObject({
    ok: true,
    finalText: "I will write the file.\nDONE: wrote hello.txt.",
  });
});

it.for([
  ["401 invalid api key", "AGENT_NOT_LOGGED_IN"],
  ["429 rate limit reached", "RATE_LIMITED"],
  ["502 bad gateway", "PROVIDER_FAILED"],
] as const)("sees that pi's provider failed, although pi exits with 0: %s", ([errorMessage, code]) => {
  const message = { role: "assistant", content: [], stopReason: "error", errorMessage };
  const failed = JSON.stringify({ type: "message_end", message });
  const end = (lines: readonly string[]) => commandAdapter.settle({ code: 0, signal: null }, events(lines));
  expect(end([failed])).toMatchObject({ ok: false, code });
  const again = JSON.stringify({ type: "message_end", message: { ...message, stopReason: "stop" } });
  expect(end([failed, again])).toMatchObject({ ok: true });
});

it("treats every other line as text, JSON or not", () => {
  for (const line of ['{"type":"other","message":{}}', '{"type":"message_end"', "message_end", '{"a":1}'])
    expect(commandAdapter.parse(line)).toEqual([{ kind: "text", text: line }]);
});

it.for([
  [["pi", "-p", "--mode", "json"], "reports"],
  [["pi", "-p"], "none"],
  [["aider", "--mode", "json"], "none"],
  [["./mine.sh"], "prints"],
] as const)("knows whether a budget can be enforced for %j: %s", ([command, kind]) => {
  const adapter = createAdapterFinder([])("command");
  expect(findBudgetHold(adapter, { environment: {}, home: "/nowhere", command }).kind).toBe(kind);
});

it("does not rely on pi to know every price", () => {
  const adapter = createAdapterFinder([])("command");
  expect(findCapabilities(adapter, ["pi", "-p", "--mode", "json"]).dollars).toBe(false);
  expect(findCapabilities(adapter, ["./mine.sh"]).dollars).toBe(true);
});
