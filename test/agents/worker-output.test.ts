import fc from "fast-check";
import { expect, it } from "vitest";
import { commandAdapter } from "../../src/agents/adapters/command/adapter.ts";

it("books the total that a standalone worker reports (R48)", () => {
  const line =
    '{"success":true,"tokens_in":1200,"tokens_out":"300","cost":0.0125,"files_changed":["a.ts"],"error":null}';
  expect(commandAdapter.parse(line)).toEqual([
    { kind: "text", text: line },
    {
      kind: "usage",
      scope: "run",
      usage: { inputTokens: 1200, cachedTokens: 0, outputTokens: 300, microUsd: 12_500 },
    },
  ]);
});

it("invents no price if the worker names none (R48)", () => {
  expect(
    commandAdapter.parse('{"success":false,"tokens_in":5,"tokens_out":7,"error":"no"}')[1],
  ).toMatchObject({
    usage: { inputTokens: 5, outputTokens: 7, microUsd: null },
  });
});

it("accepts nothing else as a report", () => {
  for (const line of [
    '{"tokens_in":5}',
    '{"success":true,"tokens_in":-5}',
    '{"success":true,"tokens_in":1.5}',
    ' {"success":true,"tokens_in":5}',
    '{"success":true,"tokens_in":5',
  ])
    expect(commandAdapter.parse(line)).toEqual([{ kind: "text", text: line }]);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const line = `{"tokens_in"${text}`;
      expect(commandAdapter.parse(line)[0]).toEqual({ kind: "text", text: line });
    }),
  );
});
