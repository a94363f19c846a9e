import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { keepNewestLines, type LogLine } from "../../../src/app/logs/read-log-lines.ts";
import { renderLogLine } from "../../../src/cli/render/log-line.ts";
import { buildConfigText } from "../../../src/app/init/config-text.ts";
import { configSchema } from "../../../src/contract/config.ts";

const plain = { story: "S", isPrefixed: true, dim: (text: string) => text };

it("a log line never contains a character that a terminal would obey, whatever an agent wrote", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const shown = renderLogLine({ delegation: "S-DEL-001", attempt: 1, stream: "stdout", text }, plain);
      expect(shown.startsWith("1 | ")).toBe(true);
      const rest = shown.replaceAll(/[\n\t]/g, "");
      expect(rest).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it("--tail keeps the newest lines of each task, in their order, and never more than asked for", () => {
  const lines = fc.array(fc.record({ delegation: fc.constantFrom("a", "b", "c"), text: fc.string() }));
  fc.assert(
    fc.property(lines, fc.nat({ max: 5 }), (written, count) => {
      const all: LogLine[] = written.map((line) => ({ attempt: 1, stream: "stdout", ...line }));
      const kept = keepNewestLines(all, count);
      for (const task of ["a", "b", "c"]) {
        const own = all.filter(({ delegation }) => delegation === task);
        const expected = count === 0 ? [] : own.slice(-count);
        expect(kept.filter(({ delegation }) => delegation === task)).toStrictEqual(expected);
      }
    }),
  );
});

it("a new configuration has exactly the meaning of its source, whatever the names look like", () => {
  const facts = {
    agent: fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,20}$/), { nil: undefined }),
    command: fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((text) => text.trim() === text && text !== ""),
    isMinimal: fc.boolean(),
  };
  fc.assert(
    fc.property(fc.record(facts), ({ agent, command, isMinimal }) => {
      const test = { command, because: "a file" };
      const config = configSchema.parse(parse(buildConfigText({ agent, test, found: [], isMinimal })));
      expect(config.agents.default).toBe(agent ?? null);
      expect(config.verification.test).toBe(command);
      expect(config.delegation).toStrictEqual(configSchema.parse({}).delegation);
    }),
  );
});
