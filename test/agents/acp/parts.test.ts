import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { LineReader, type ReadLine } from "../../../src/agents/acp/line-reader.ts";
import { MAX_TEXT_LENGTH, parseAcpLine, renderAcpLine } from "../../../src/agents/acp/lines.ts";
import { openSession } from "../../../src/agents/acp/open-session.ts";
import { answerPermission } from "../../../src/agents/acp/permission.ts";
import { updateSchema } from "../../../src/agents/acp/protocol.ts";
import { RpcConnection } from "../../../src/agents/acp/rpc-connection.ts";
import { SessionView } from "../../../src/agents/acp/session-view.ts";
import { readTokenCounts } from "../../../src/agents/acp/usage.ts";

describe("line reader", () => {
  const readAll = (chunks: readonly Buffer[], maxBytes?: number): readonly ReadLine[] => {
    const lines: ReadLine[] = [];
    const reader = new LineReader((line) => lines.push(line), maxBytes);
    for (const chunk of chunks) reader.pushChunk(chunk);
    reader.flushLastLine();
    return lines;
  };

  it("reads the same lines however the stream is split, even inside a character", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", " "));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(20)), (lines, cuts) => {
        let rest = Buffer.from(lines.join("\n"));
        const chunks = cuts.map((cut) => {
          const chunk = rest.subarray(0, cut);
          rest = rest.subarray(cut);
          return chunk;
        });
        const expected = lines.filter((text) => text.trim() !== "").map((text) => ({ kind: "line", text }));
        expect(readAll([...chunks, rest])).toEqual(expected);
      }),
    );
  });

  it("keeps only the beginning of a line that is too long, and continues after it", () => {
    const chunks = ["a".repeat(60), "a".repeat(60), "a\nnext\n", "b".repeat(100), "\n"].map((text) =>
      Buffer.from(text),
    );
    expect(readAll(chunks, 100)).toEqual([
      { kind: "overlong", head: "a".repeat(120) },
      { kind: "line", text: "next" },
      { kind: "line", text: "b".repeat(100) },
    ]);
  });
});

describe("lines", () => {
  it("never throw, whatever is printed, and keep foreign text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `{"acp":${text}`),
        ),
        (line) => {
          const events = parseAcpLine(line);
          if (!line.startsWith('{"acp":'))
            expect(events).toEqual(line.trim() === "" ? [] : [{ kind: "raw", line }]);
        },
      ),
    );
  });

  it("are raw if they are cut in the middle or unknown", () => {
    const whole = renderAcpLine({ acp: "text", text: "hello" });
    expect(parseAcpLine(whole)).toEqual([{ kind: "text", text: "hello" }]);
    expect(parseAcpLine(whole.slice(0, -3))).toEqual([{ kind: "raw", line: whole.slice(0, -3) }]);
    expect(parseAcpLine('{"acp":"dance"}')).toEqual([{ kind: "raw", line: '{"acp":"dance"}' }]);
    expect(parseAcpLine('{"acp":"usage","scope":"step","input_tokens":-1}')).toMatchObject([{ kind: "raw" }]);
  });

  it("survive a round trip with texts of any characters, lone surrogates included", () => {
    const unit = fc.nat(0xff_ff).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(parseAcpLine(renderAcpLine({ acp: "text", text }))).toEqual([{ kind: "text", text }]);
        expect(renderAcpLine({ acp: "text", text })).not.toContain("\n");
      }),
    );
    expect(
      Buffer.byteLength(renderAcpLine({ acp: "text", text: "\u0001".repeat(MAX_TEXT_LENGTH) })),
    ).toBeLessThan(1024 * 1024);
  });
});

describe("tokens", () => {
  const amount = fc.nat(10 ** 6);

  it("are split the same way for both counting conventions", () => {
    fc.assert(
      fc.property(amount, amount, amount, (input, read, output) => {
        const beside = {
          inputTokens: input,
          outputTokens: output,
          cachedReadTokens: read,
          totalTokens: input + read + output,
        };
        const inside = { ...beside, inputTokens: input + read };
        const expected = { inputTokens: input, cachedTokens: read, outputTokens: output };
        expect(readTokenCounts(beside)).toEqual(expected);
        expect(readTokenCounts(inside)).toEqual(expected);
      }),
    );
  });

  it("include thinking that is not part of the output, and cache writes", () => {
    const usage = { inputTokens: 10, outputTokens: 5, thoughtTokens: 7, totalTokens: 22 };
    expect(readTokenCounts(usage)).toMatchObject({ inputTokens: 10, outputTokens: 12 });
    expect(readTokenCounts({ ...usage, totalTokens: 15 })).toMatchObject({
      inputTokens: 10,
      outputTokens: 5,
    });
    expect(
      readTokenCounts({ inputTokens: 1, outputTokens: 2, cachedWriteTokens: 4, totalTokens: 7 }),
    ).toEqual({
      inputTokens: 5,
      cachedTokens: 0,
      outputTokens: 2,
    });
  });

  it("are ignored if they are not valid counts", () => {
    for (const usage of [undefined, null, 3, "x", [], {}, { inputTokens: -1, outputTokens: 1 }])
      expect(readTokenCounts(usage)).toBeUndefined();
    expect(readTokenCounts({ inputTokens: 1.5, input_tokens: 3, outputTokens: 1 })).toMatchObject({
      inputTokens: 3,
    });
  });
});

describe("session view", () => {
  const kind = fc.constantFrom(
    "agent_message_chunk",
    "tool_call",
    "tool_call_update",
    "usage_update",
    "plan",
  );
  const odd = fc.oneof(fc.constantFrom("completed", "failed", "", null, -1), fc.jsonValue());
  const update = fc.record(
    {
      sessionUpdate: kind,
      toolCallId: fc.constantFrom("a", "b", "", "x__y"),
      content: fc.oneof(odd, fc.record({ type: fc.constant("text"), text: fc.string() })),
      messageId: odd,
      status: odd,
      title: odd,
      name: odd,
      cost: fc.oneof(odd, fc.record({ amount: fc.double(), currency: fc.constantFrom("USD", "EUR") })),
      _meta: fc.oneof(odd, fc.record({ usage: fc.record({ inputTokens: odd, outputTokens: odd }) })),
    },
    { requiredKeys: ["sessionUpdate"] },
  );

  it("makes readable lines of anything an agent sends, and ends every call at most once", () => {
    fc.assert(
      fc.property(fc.array(update), (updates) => {
        const lines: string[] = [];
        const view = new SessionView((line) => lines.push(renderAcpLine(line)));
        for (const fields of updates) {
          const parsed = updateSchema.safeParse({ update: fields });
          if (parsed.success) view.applyUpdate(parsed.data.update);
        }
        view.endMessage();
        const events = lines.flatMap(parseAcpLine);
        expect(events.filter((event) => event.kind === "raw")).toEqual([]);
        const ended = events.flatMap((event) => (event.kind === "tool-ended" ? [event.id] : []));
        const calls = events.filter((event) => event.kind === "tool-called");
        const called = calls.filter(({ input }) => input === undefined).map(({ id }) => id);
        const shown = calls.filter(({ input }) => input !== undefined).map(({ id }) => id);
        expect(new Set(ended).size).toBe(ended.length);
        expect(new Set(called).size).toBe(called.length);
        expect(new Set(shown).size).toBe(shown.length);
        expect(called).toEqual(expect.arrayContaining(ended));
      }),
    );
  });
});

describe("calls without an input", () => {
  interface Shown {
    readonly title: string;
    readonly kind?: string;
    readonly output: readonly string[];
  }
  const hashCalls = (calls: readonly Shown[], titlesAreCommands = false): readonly (string | undefined)[] => {
    const lines: string[] = [];
    const view = new SessionView((line) => lines.push(renderAcpLine(line)), titlesAreCommands);
    for (const [index, { title, kind = "read", output }] of calls.entries()) {
      const toolCallId = `call_${index}`;
      view.applyUpdate({ sessionUpdate: "tool_call", toolCallId, title, kind, status: "in_progress" });
      for (const data of output)
        view.applyUpdate({
          sessionUpdate: "tool_call_update",
          toolCallId,
          _meta: { terminal: { data, terminal_id: toolCallId, took_ms: index } },
        });
      view.applyUpdate({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
    }
    const events = lines.flatMap(parseAcpLine);
    return events.flatMap((event) =>
      event.kind === "tool-called" && event.input !== undefined ? [event.input] : [],
    );
  };

  it("are equal if everything shown of them is equal, however their output is split", () => {
    const pieces = fc.array(fc.string({ minLength: 1 }), { maxLength: 5 });
    fc.assert(
      fc.property(fc.string(), pieces, (title, output) => {
        const whole = output.length === 0 ? [] : [output.join("")];
        const hashes = hashCalls([
          { title, output },
          { title, output: whole },
        ]);
        // The trace leaves out a piece with the call's id, so output that contains an id is not compared.
        if (!output.join("").includes("call_")) expect(hashes[0]).toBe(hashes[1]);
        expect(hashes).toHaveLength(2);
      }),
    );
  });

  it("differ by title, by kind and by output", () => {
    const calls = [
      { title: "List files", output: ["a\n"] },
      { title: "List files", output: ["b\n"] },
      { title: "List files in 'src'", output: ["a\n"] },
      { title: "List files", kind: "search", output: ["a\n"] },
    ];
    expect(new Set(hashCalls(calls)).size).toBe(calls.length);
  });

  it("are compared by title alone if the agent's titles are its commands", () => {
    const calls = ["10:01", "10:02"].map((time) => ({ title: "date", kind: "execute", output: [time] }));
    expect(new Set(hashCalls(calls)).size).toBe(2);
    expect(new Set(hashCalls(calls, true)).size).toBe(1);
  });
});

describe("permission", () => {
  it("to change a path is given exactly if the path lies within the worker's folder", () => {
    const segment = fc.constantFrom("..", "..", "a", "home", "work", ".", "", "work-other");
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), fc.boolean(), (segments, isAbsolute) => {
        const path = `${isAbsolute ? "/" : "./"}${segments.join("/")}`;
        const { refusal } = answerPermission(
          {
            toolCall: { toolCallId: "c", kind: "edit", locations: [{ path }] },
            options: [{ optionId: "yes", kind: "allow_once" }],
          },
          { name: "write", isCancelling: false },
          { cwd: "/home/work", writable: ["/out/return.json"], deniedTools: [] },
        );
        const walked = walk(isAbsolute ? segments : ["home", "work", ...segments]);
        expect(refusal === undefined).toBe(walked[0] === "home" && walked[1] === "work");
      }),
    );
  });
});

/** The folder in which these steps from the root end. */
function walk(segments: readonly string[]): readonly string[] {
  const place: string[] = [];
  for (const segment of segments) {
    if (segment === "..") place.pop();
    else if (segment !== "" && segment !== ".") place.push(segment);
  }
  return place;
}

describe("deadlines", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("end every wait for a silent agent", async () => {
    vi.useFakeTimers();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const rpc = new RpcConnection(
      { input, output },
      { onRequest: () => undefined, onNotification: () => undefined, onGarbage: () => undefined },
    );
    const launch = {
      command: ["x"],
      prompt: "",
      wind_down_prompt: "",
      mcp_servers: [],
      writable: [],
      additional_directories: [],
      denied_tools: [],
    };
    const opening = openSession({ rpc, launch, cwd: "/", print: () => undefined });
    const ended = expect(opening).rejects.toMatchObject({
      ending: { ok: false, reason: "AGENT_STREAM_BROKEN", message: "No answer to initialize within 120 s." },
    });
    await vi.advanceTimersByTimeAsync(119_999);
    output.write("noise\n");
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });

  it("reject pending and later calls when the agent has gone", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const rpc = new RpcConnection(
      { input, output },
      { onRequest: () => undefined, onNotification: () => undefined, onGarbage: () => undefined },
    );
    const waiting = [rpc.sendRequest("a", {}), rpc.sendRequest("b", {}, 60_000)];
    output.end();
    expect(await Promise.all(waiting)).toEqual([{ kind: "closed" }, { kind: "closed" }]);
    expect(await rpc.sendRequest("c", {})).toEqual({ kind: "closed" });
  });

  it("drop an answer that comes too late", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const rpc = new RpcConnection(
      { input, output },
      { onRequest: () => undefined, onNotification: () => undefined, onGarbage: () => undefined },
    );
    expect(await rpc.sendRequest("a", {}, 1)).toEqual({ kind: "late", afterMs: 1 });
    const next = rpc.sendRequest("b", {});
    output.write('{"jsonrpc":"2.0","id":0,"result":1}\n{"jsonrpc":"2.0","id":1,"result":2}\n');
    expect(await next).toEqual({ kind: "result", value: 2 });
  });
});
