import { readFileSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentAdapter, AgentEvent, RunSpec } from "../../src/agents/adapter-types/agent-adapter.ts";
import { usageSchema } from "../../src/contract/usage.ts";

export interface AdapterCase {
  /** Names below `test/samples/agents`; the first is of a run that went well, from its first event to its last. */
  readonly samples: readonly string[];
  /** The CLI reports its ending in events. Without such an event a run never counts as good. */
  readonly hasEvents: boolean;
  /** The program that this adapter starts; other adapters start the program of a definition. */
  readonly program?: string;
  /** A client of ours drives the agent. It reads prompt and command from a file, and its last event alone decides. */
  readonly isIndirect?: boolean;
}

export const spec: RunSpec = {
  agent: "worker",
  prompt: 'Do "it".\nThen stop. $HOME `id`',
  attempt: 2,
  turn: "begin",
  isProjectTrusted: true,
  returnFile: "/state/logs/S-1/attempt-2/return.json",
  handoverFile: "/state/logs/S-1/attempt-2/handover.md",
  agentHome: "/state/agents/S-1",
  userHome: "/home/user",
  command: ["/opt/agent", "--first"],
  mcp: {
    command: "/usr/bin/node",
    arguments: ["/opt/ambit.js", "mcp"],
    environment: { AMBIT_SOCKET: "/state/worker.sock", AMBIT_TOKEN: "token-nobody-may-see" },
  },
};

/** Variables that would make an agent believe that it runs inside another one. */
const INSIDE_ANOTHER = [
  "CLAUDECODE",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_CHILD_SESSION",
  "CLAUDE_CODE_SESSION_ID",
  "CODEX_THREAD_ID",
  "CODEX_SESSION_ID",
  "CODEX_SANDBOX",
  "CODEX_CI",
  "GEMINI_CLI",
  "GEMINI_CLI_NO_RELAUNCH",
  "QWEN_CODE",
  "OPENCODE",
  "AI_AGENT",
];

function sampleLines(name: string): readonly string[] {
  const file = join(import.meta.dirname, "../samples/agents", name);
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}

export function eventsOf(adapter: AgentAdapter, name: string): readonly AgentEvent[] {
  return sampleLines(name).flatMap((line) => adapter.parse(line));
}

/** What every adapter promises the runtime, whatever CLI stands behind it. */
export function describeAdapter(adapter: AgentAdapter, test: AdapterCase): void {
  const good = test.samples[0];
  const lines = test.samples.flatMap(sampleLines);

  describe(`${adapter.name} adapter, like every adapter,`, () => {
    it("builds the same command twice and changes none of its input", () => {
      const frozen = deepFreeze(structuredClone(spec));
      expect(adapter.build(frozen)).toEqual(adapter.build(spec));
    });

    it("puts the definition's program and arguments before its own", () => {
      const { argv, files = [] } = adapter.build(spec);
      const told = test.isIndirect === true ? files.map(({ content }) => content) : argv;
      expect(told.join("\n")).toMatch(/\/opt\/agent"?[\s,]+"?--first/);
      if (test.program === undefined) return;
      expect(argv.slice(0, 2)).toEqual(["/opt/agent", "--first"]);
      expect(adapter.build({ ...spec, command: [] }).argv[0]).toBe(test.program);
    });

    it("passes the prompt unchanged, and puts neither prompt nor token on the command line", () => {
      const { argv, stdin, files = [] } = adapter.build(spec);
      const told = test.isIndirect === true ? files.map(({ content }) => content).join("\n") : stdin;
      expect(told).toContain(test.isIndirect === true ? JSON.stringify(spec.prompt) : spec.prompt);
      expect(argv.filter((part) => part.includes(spec.prompt))).toEqual([]);
      expect(argv.filter((part) => part.includes("token-nobody-may-see"))).toEqual([]);
    });

    it("writes and copies only below the agent's home", () => {
      const { files = [], copies = [] } = adapter.build(spec);
      for (const path of [...files.map((file) => file.path), ...copies.map(({ to }) => to)]) {
        expect(isAbsolute(path) || normalize(path).startsWith("..")).toBe(false);
      }
      for (const { from } of copies) expect(from.startsWith("/home/user/")).toBe(true);
    });

    it("passes nothing that makes an agent believe it runs inside another agent", () => {
      const { pass = [] } = adapter.build(spec);
      expect(pass.filter((name) => INSIDE_ANOTHER.some((inside) => covers(name, inside)))).toEqual([]);
    });

    it("never throws on any text, and reports only what can be recorded", () => {
      fc.assert(
        fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), eventLike()), (line) => {
          for (const event of adapter.parse(line)) expectSound(event);
        }),
        { numRuns: 500 },
      );
    });

    (lines.length > 0 ? it : leaveOut)(
      "never throws on a line of its CLI that was cut or changed, and reads the line the same way twice",
      () => {
        fc.assert(
          fc.property(fc.constantFrom(...lines), mutation(), (line, change) => {
            const changed = change(line);
            const events = adapter.parse(changed);
            for (const event of events) expectSound(event);
            expect(adapter.parse(changed)).toEqual(events);
          }),
          { numRuns: 1000 },
        );
      },
    );

    it("reads a line of ten million characters in one pass", () => {
      const filler = "a ".repeat(5_000_000);
      const hostile = [
        filler,
        `{"type":"${filler}"}`,
        `{"type":"result","result":"${filler}","is_error":true,"subtype":"success"}`,
        `{"type":"error","message":"try again in ${"1 ".repeat(4_000_000)}"}`,
        `{"type":"turn.failed","error":{"message":"${"status ".repeat(1_400_000)}"}}`,
        '{"a":'.repeat(2_000_000),
        `${'{"part":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`,
        `{"type":"assistant","message":{"content":[${'{"type":"text","text":"x"},'.repeat(300_000)}1]}}`,
      ];
      const started = performance.now();
      for (const line of hostile) adapter.parse(line);
      // One pass over each takes a second or two on a busy machine, anything quadratic takes hours.
      expect(performance.now() - started).toBeLessThan(30_000);
    }, 60_000);

    it(`never throws when it judges a run${test.isIndirect === true ? "" : ", and calls none good that was killed or failed"}`, () => {
      const code = fc.option(fc.integer({ min: 0, max: 255 }));
      const signal = fc.option(fc.constantFrom("SIGKILL", "SIGTERM"));
      fc.assert(
        fc.property(fc.array(anyEvent()), code, signal, (events, exitCode, killedBy) => {
          const end = adapter.settle({ code: killedBy === null ? exitCode : null, signal: killedBy }, events);
          const endedBadly = killedBy !== null || exitCode !== 0;
          if (endedBadly && test.isIndirect !== true) expect(end.ok).toBe(false);
          expect(end.reason).not.toBe("");
        }),
      );
    });

    (test.hasEvents && test.isIndirect !== true ? it : leaveOut)(
      "gives an error code exactly for the runs that are not good",
      () => {
        fc.assert(
          fc.property(fc.array(anyEvent()), fc.constantFrom(0, 1, 41, 53), (events, code) => {
            const end = adapter.settle({ code, signal: null }, events);
            expect(end.ok).toBe(end.code === undefined);
          }),
        );
      },
    );

    (good === undefined ? leaveOut : it)(
      "accepts the recording of a good run, and no recording of it that breaks off",
      () => {
        const whole = good === undefined ? [] : sampleLines(good);
        const judge = (part: readonly string[]) =>
          adapter.settle(
            { code: 0, signal: null },
            part.flatMap((line) => adapter.parse(line)),
          );
        expect(judge(whole)).toMatchObject({ ok: true });
        if (!test.hasEvents) return;
        for (let length = 0; length < whole.length; length += 1) {
          expect(judge(whole.slice(0, length))).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
        }
      },
    );

    (test.hasEvents ? it : leaveOut)(
      "calls a run that printed only garbage broken, although it exited with 0",
      () => {
        const events = ["Segmentation fault", "{}", '{"type":"nobody-knows"}', "[1,2]"].flatMap((line) =>
          adapter.parse(line),
        );
        expect(events.every((event) => event.kind === "raw")).toBe(true);
        expect(adapter.settle({ code: 0, signal: null }, events)).toMatchObject({
          ok: false,
          code: "AGENT_STREAM_BROKEN",
          reason: expect.stringContaining(
            test.isIndirect === true ? "exited with code 0" : "Segmentation fault",
          ),
        });
      },
    );
  });
}

/** Declares no test, for an adapter that promises less. A skipped test would look like an unfinished one. */
function leaveOut(_name: string, _test: () => void): void {
  return undefined;
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** A parser must not produce an event that the journal would refuse. */
function expectSound(event: AgentEvent): void {
  if (event.kind === "session-known") expect(event.id).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/);
  if (event.kind !== "usage") return;
  const { microUsd, source = "reported", ...tokens } = event.usage;
  expect(usageSchema.safeParse({ ...tokens, source, microUsd: microUsd ?? 0 }).success).toBe(true);
}

/** Objects with the field names that adapters look for, and anything in them. */
function eventLike(): fc.Arbitrary<string> {
  const names = [
    "type",
    "part",
    "item",
    "message",
    "usage",
    "stats",
    "error",
    "result",
    "modelUsage",
    "subtype",
  ];
  const types = ["result", "assistant", "system", "turn.completed", "item.completed", "step_finish", "error"];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...types), fc.constantFrom("HUGE", -1));
  // A number that JSON allows and that is too large for a double.
  return fc
    .dictionary(fc.constantFrom(...names), value)
    .map((object) => JSON.stringify(object).replaceAll('"HUGE"', "1e999"));
}

type Change = (line: string) => string;

function mutation(): fc.Arbitrary<Change> {
  const at = fc.double({ min: 0, max: 1, noNaN: true });
  return fc.oneof(
    at.map(
      (where): Change =>
        (line) =>
          line.slice(0, Math.floor(line.length * where)),
    ),
    fc.tuple(at, fc.string({ maxLength: 5 })).map(([where, text]): Change => (line) => {
      const index = Math.floor(line.length * where);
      return line.slice(0, index) + text + line.slice(index + 1);
    }),
    fc
      .tuple(fc.nat(200), fc.oneof(fc.jsonValue(), fc.constantFrom(1e300, -5, 0.5, null, "", "-x", [], {})))
      .map(
        ([which, value]): Change =>
          (line) =>
            replaceValue(line, which, value),
      ),
  );
}

/** Replaces the n-th value, so that the line stays valid JSON but means something else. */
function replaceValue(line: string, which: number, value: unknown): string {
  let seen = 0;
  const changed: unknown = JSON.parse(line, (_key, old: unknown) => {
    seen += 1;
    return seen === which ? value : old;
  });
  return JSON.stringify(changed) ?? "";
}

function anyEvent(): fc.Arbitrary<AgentEvent> {
  const text = fc.string();
  const usage = fc.constant({ inputTokens: 1, cachedTokens: 2, outputTokens: 3, microUsd: null });
  const failure = fc.record({
    status: fc.constantFrom(null, 401, 429, 500),
    message: text,
    isRateLimit: fc.boolean(),
  });
  return fc.oneof(
    fc.record({ kind: fc.constant("text" as const), text }),
    fc.record({ kind: fc.constant("raw" as const), line: text }),
    fc.record({ kind: fc.constant("session-known" as const), id: fc.constant("s-1") }),
    fc.record({ kind: fc.constant("tool-called" as const), name: text }),
    fc.record({ kind: fc.constant("tool-ended" as const), id: text, ok: fc.boolean() }),
    fc.record({ kind: fc.constant("denied" as const), tool: text }),
    fc.record({
      kind: fc.constant("usage" as const),
      scope: fc.constantFrom("step", "run", "session"),
      usage,
    }),
    fc.record({ kind: fc.constant("provider-failed" as const), failure }),
    fc.record({
      kind: fc.constant("final" as const),
      ok: fc.boolean(),
      text,
      reason: fc.string({ minLength: 1 }),
    }),
  );
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
