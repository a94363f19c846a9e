import { describe, expect, it } from "vitest";
import type {
  AgentAdapter,
  AgentEvent,
  ProviderFailure,
} from "../../src/agents/adapter-types/agent-adapter.ts";
import { claudeAdapter } from "../../src/agents/adapters/claude/program.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";
import { geminiAdapter } from "../../src/agents/adapters/gemini/program.ts";
import { opencodeAdapter } from "../../src/agents/adapters/opencode/program.ts";
import { UsageMeter } from "../../src/ledger/usage-meter.ts";
import { eventsOf, spec } from "./conformance.ts";

const streaming = [claudeAdapter, codexAdapter, geminiAdapter, opencodeAdapter];

function eventsIn(adapter: AgentAdapter, lines: readonly object[]): readonly AgentEvent[] {
  return lines.flatMap((line) => adapter.parse(JSON.stringify(line)));
}

function judge(adapter: AgentAdapter, lines: readonly object[], code = 0) {
  return adapter.settle({ code, signal: null }, eventsIn(adapter, lines));
}

function failures(adapter: AgentAdapter, ...lines: readonly object[]): readonly ProviderFailure[] {
  return eventsIn(adapter, lines).flatMap((event) =>
    event.kind === "provider-failed" ? [event.failure] : [],
  );
}

describe("an adapter that judges a run", () => {
  const cases: readonly (readonly [AgentAdapter, string, string])[] = [
    [claudeAdapter, "claude-result-sigint-exit0.jsonl", "AGENT_STREAM_BROKEN"],
    [claudeAdapter, "claude-result-permission-denied.jsonl", "AGENT_NEEDS_PERMISSION"],
    [codexAdapter, "codex-mcp-needs-approval.jsonl", "AGENT_NEEDS_PERMISSION"],
    [geminiAdapter, "gemini-loop-detected-exit0.jsonl", "AGENT_LOOPED"],
    [opencodeAdapter, "opencode-permission-auto-rejected-exit0.jsonl", "AGENT_NEEDS_PERMISSION"],
    [opencodeAdapter, "opencode-doom-loop.jsonl", "AGENT_LOOPED"],
  ];
  for (const [adapter, sample, code] of cases) {
    it(`finds ${code} in ${sample}, which exited with 0`, () => {
      expect(adapter.settle({ code: 0, signal: null }, eventsOf(adapter, sample))).toMatchObject({
        ok: false,
        code,
      });
    });
  }

  it("reports a broken stream if the agent printed nothing or was killed", () => {
    for (const adapter of streaming) {
      expect(adapter.settle({ code: 0, signal: null }, [])).toMatchObject({ code: "AGENT_STREAM_BROKEN" });
      expect(adapter.settle({ code: null, signal: "SIGKILL" }, [])).toMatchObject({
        ok: false,
        code: "AGENT_STREAM_BROKEN",
        reason: expect.stringContaining("SIGKILL"),
      });
    }
  });

  it("does not accept Gemini's exit 0 without a result after SIGTERM", () => {
    const stopped = [
      { type: "init", session_id: "s-1", model: "m" },
      { type: "message", role: "assistant", content: "I am at it", delta: true },
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "t-1", parameters: {} },
    ];
    expect(judge(geminiAdapter, stopped)).toMatchObject({
      ok: false,
      code: "AGENT_STREAM_BROKEN",
      finalText: "I am at it",
    });
  });

  it("accepts a run whose model ignored the schema: the validator judges the return", () => {
    const events = eventsOf(claudeAdapter, "claude-result-json-schema-missed-but-success.jsonl");
    expect(claudeAdapter.settle({ code: 0, signal: null }, events)).toMatchObject({
      ok: true,
      finalText: "not json",
    });
    for (const adapter of streaming) {
      const { argv } = adapter.build(spec);
      expect(argv.filter((part) => part.includes("schema"))).toEqual([]);
    }
  });

  it("does not accept a good last event if the process then failed", () => {
    const finished = [{ type: "turn.completed", usage: {} }];
    expect(judge(codexAdapter, finished)).toMatchObject({ ok: true });
    expect(judge(codexAdapter, finished, 1)).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
  });

  it("reads Gemini's exit codes if no event says more", () => {
    const codes = [41, 42, 52, 53, 1].map((code) => judge(geminiAdapter, [], code).code);
    expect(codes).toEqual([
      "AGENT_NOT_LOGGED_IN",
      "AGENT_STREAM_BROKEN",
      "CONFIG_INVALID",
      "AGENT_TURN_LIMIT",
      "AGENT_STREAM_BROKEN",
    ]);
  });

  it("does not let Gemini's success hide an empty answer or a turn limit", () => {
    const success = { type: "result", status: "success", stats: {} };
    const empty = { type: "error", severity: "error", message: "The model returned an empty response." };
    const turns = { type: "error", severity: "error", message: "Maximum session turns exceeded" };
    const warning = { type: "error", severity: "warning", message: "Something was slow" };
    expect(judge(geminiAdapter, [empty, success])).toMatchObject({ ok: false, code: "PROVIDER_FAILED" });
    expect(judge(geminiAdapter, [turns, success])).toMatchObject({ ok: false, code: "AGENT_TURN_LIMIT" });
    expect(judge(geminiAdapter, [warning, success])).toMatchObject({ ok: true });
  });

  it("distinguishes OpenCode's truncated answers from complete ones by the reason of the last step", () => {
    const step = (reason: string) => ({ type: "step_finish", part: { id: "p", reason, tokens: {} } });
    expect(judge(opencodeAdapter, [step("tool-calls"), step("stop")])).toMatchObject({ ok: true });
    expect(judge(opencodeAdapter, [step("tool-calls")])).toMatchObject({ code: "AGENT_STREAM_BROKEN" });
    expect(judge(opencodeAdapter, [step("length")])).toMatchObject({ code: "AGENT_STREAM_BROKEN" });
    expect(judge(opencodeAdapter, [step("content-filter")])).toMatchObject({ code: "PROVIDER_FAILED" });
  });
});

describe("a provider's refusal", () => {
  it("is read with its status and retry delay from each CLI's own wording", () => {
    const retry = {
      type: "system",
      subtype: "api_retry",
      retry_delay_ms: 7000,
      error_status: 429,
      error: "rate_limit",
    };
    expect(failures(claudeAdapter, retry)).toEqual([
      { status: 429, message: "rate_limit", isRateLimit: true, retryAfterMs: 7000 },
    ]);
    const codex = {
      type: "error",
      message: "Rate limit reached. Please try again in 1m 11.5s. (status 429)",
    };
    expect(failures(codexAdapter, codex)).toMatchObject([
      { status: 429, isRateLimit: true, retryAfterMs: 71_500 },
    ]);
    const gemini = `[API Error: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"34s"}]}}]`;
    expect(
      failures(geminiAdapter, { type: "result", status: "error", error: { message: gemini }, stats: {} }),
    ).toMatchObject([{ status: 429, isRateLimit: true, retryAfterMs: 34_000 }]);
    const data = { message: "slow down", statusCode: 429, responseHeaders: { "retry-after": "7" } };
    expect(failures(opencodeAdapter, { type: "error", error: { name: "APIError", data } })).toMatchObject([
      { status: 429, isRateLimit: true, retryAfterMs: 7000 },
    ]);
  });

  it("without a status counts as a rate limit if its wording says so", () => {
    const limit = (message: string) => failures(codexAdapter, { type: "error", message })[0];
    expect(limit("You've hit your usage limit. Try again in 3 days 4 hours.")).toMatchObject({
      status: null,
      isRateLimit: true,
      retryAfterMs: 3 * 86_400_000 + 4 * 3_600_000,
    });
    expect(limit("Quota exceeded for this project")).toMatchObject({ isRateLimit: true });
    expect(limit("stream disconnected before completion")).toMatchObject({ isRateLimit: false });
    expect(limit("unexpected status 503: overloaded")).toMatchObject({ status: 503, isRateLimit: true });
  });

  it("does not count as a rate limit if its status contradicts its wording", () => {
    const claude = eventsOf(claudeAdapter, "claude-result-api-error.jsonl").find(
      (event) => event.kind === "provider-failed",
    );
    expect(claude).toMatchObject({ failure: { status: 500, isRateLimit: false } });
    const opencode = eventsOf(opencodeAdapter, "opencode-api-error-exit1.jsonl").find(
      (event) => event.kind === "provider-failed",
    );
    expect(opencode).toMatchObject({ failure: { status: 401, isRateLimit: false } });
  });

  it("does not fail a run that continued afterwards", () => {
    const message = "Reconnecting... 1/5 (unexpected status 429 Too Many Requests)";
    const lines = [
      { type: "error", message },
      { type: "item.completed", item: { id: "i", type: "agent_message", text: "DONE" } },
      { type: "turn.completed", usage: {} },
    ];
    expect(judge(codexAdapter, lines)).toMatchObject({ ok: true, finalText: "DONE" });
  });

  it("gives a code that says what to do: wait, log in, or check the provider", () => {
    const failed = (message: string) =>
      judge(codexAdapter, [{ type: "turn.failed", error: { message } }], 1).code;
    expect(failed("exceeded retry limit, last status: 429 Too Many Requests")).toBe("RATE_LIMITED");
    expect(failed("unexpected status 401 Unauthorized")).toBe("AGENT_NOT_LOGGED_IN");
    expect(failed("Missing environment variable: `MY_KEY`.")).toBe("AGENT_NOT_LOGGED_IN");
    expect(failed("unexpected status 500 Internal Server Error")).toBe("PROVIDER_FAILED");
    const claude = (result: string) =>
      judge(claudeAdapter, [{ type: "result", subtype: "success", is_error: true, result }], 1).code;
    expect(claude("Invalid API key · Please run /login")).toBe("AGENT_NOT_LOGGED_IN");
    expect(claude("Not logged in · Please run /login")).toBe("AGENT_NOT_LOGGED_IN");
    expect(claude("API Error: Request rejected (429) · slow down")).toBe("RATE_LIMITED");
    const rejected = {
      type: "rate_limit_event",
      rate_limit_info: { status: "rejected", rateLimitType: "five_hour" },
    };
    expect(failures(claudeAdapter, rejected)).toMatchObject([{ status: 429, isRateLimit: true }]);
    const allowed = { type: "rate_limit_event", rate_limit_info: { status: "allowed" } };
    expect(failures(claudeAdapter, allowed)).toEqual([]);
  });

  it("of a prompt that is too long is reported as a full session, so that another one can take over", () => {
    const claude = { type: "result", subtype: "success", is_error: true, result: "Prompt is too long" };
    expect(judge(claudeAdapter, [claude], 1)).toMatchObject({ ok: false, exhausted: true });
    const codex = { message: "Codex ran out of room in the model's context window." };
    expect(judge(codexAdapter, [{ type: "turn.failed", error: codex }], 1)).toMatchObject({
      exhausted: true,
    });
    const opencode = { name: "ContextOverflowError", data: { message: "too many tokens" } };
    expect(judge(opencodeAdapter, [{ type: "error", error: opencode }], 1)).toMatchObject({
      exhausted: true,
    });
    const other = { type: "result", subtype: "success", is_error: true, result: "API Error: 500" };
    expect(judge(claudeAdapter, [other], 1).exhausted).toBeUndefined();
  });
});

describe("usage", () => {
  const booked = (
    adapter: AgentAdapter,
    sample: string,
    earlier: readonly [number, number, number, number],
  ) => {
    const [inputTokens, cachedTokens, outputTokens, microUsd] = earlier;
    const meter = new UsageMeter({ inputTokens, cachedTokens, outputTokens, microUsd });
    for (const event of eventsOf(adapter, sample)) {
      if (event.kind === "usage") meter.take(event, () => undefined);
    }
    return meter.due();
  };

  it("of a resumed Codex session is counted once: it reports the whole session again", () => {
    expect(booked(codexAdapter, "codex-resume-cumulative-usage.jsonl", [1600, 400, 100, 0])).toMatchObject({
      inputTokens: 800,
      cachedTokens: 200,
      outputTokens: 50,
    });
  });

  it("of a resumed Claude session is counted once, including the call that exhausted its budget", () => {
    expect(
      booked(claudeAdapter, "claude-result-resumed-cumulative-cost.jsonl", [2000, 400, 100, 7620]),
    ).toMatchObject({ inputTokens: 3000, cachedTokens: 600, outputTokens: 150, microUsd: 11_430 });
  });

  it("of a resumed session of an older Claude, which reports only this run, is counted in full", () => {
    const figures = { inputTokens: 800, cacheReadInputTokens: 200, outputTokens: 50, costUSD: 0.00321 };
    const result = {
      type: "result",
      subtype: "success",
      usage: { input_tokens: 800, cache_read_input_tokens: 200, output_tokens: 50 },
      modelUsage: { "claude-x": figures },
    };
    const meter = new UsageMeter({
      inputTokens: 4000,
      cachedTokens: 1000,
      outputTokens: 250,
      microUsd: 16_050,
    });
    for (const event of eventsIn(claudeAdapter, [result])) {
      if (event.kind === "usage") meter.take(event, () => undefined);
    }
    expect(meter.due()).toMatchObject({
      inputTokens: 800,
      cachedTokens: 200,
      outputTokens: 50,
      microUsd: 3210,
    });
  });

  it("of a Claude message in several lines is counted once", () => {
    const steps = eventsOf(claudeAdapter, "claude-tool-search-hides-mcp.jsonl").filter(
      (event) => event.kind === "usage",
    );
    expect(steps.map((event) => event.id)).toEqual(["msg_000002", "msg_000002", "msg_000004", "msg_000005"]);
    expect(booked(claudeAdapter, "claude-tool-search-hides-mcp.jsonl", [0, 0, 0, 0])).toMatchObject({
      inputTokens: 3000,
    });
  });

  it("includes cache writes in the input and thoughts in the output", () => {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 3,
      output_tokens: 2,
    };
    const claude = { type: "assistant", message: { id: "m", content: [], usage } };
    const delta = (output: number, reason: string | null) => ({
      type: "message_delta",
      delta: { stop_reason: reason },
      usage: { output_tokens: output },
    });
    const half = { type: "stream_event", uuid: "h", event: delta(400, null) };
    const end = { type: "stream_event", uuid: "u", event: delta(900, "end_turn") };
    // The figure of the message was taken before any output was written; the last delta has the total.
    expect(eventsIn(claudeAdapter, [claude, half, end, end])).toMatchObject([
      { id: "m", usage: { inputTokens: 15, cachedTokens: 3, outputTokens: 0 } },
      { id: "output u", usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 900 } },
      { id: "output u" },
    ]);
    const models = { "gemini-x": { total_tokens: 160, input_tokens: 100, output_tokens: 40, cached: 30 } };
    expect(eventsIn(geminiAdapter, [{ type: "result", status: "success", stats: { models } }])).toMatchObject(
      [
        { usage: { model: "gemini-x", inputTokens: 70, cachedTokens: 30, outputTokens: 60 } },
        { kind: "final" },
      ],
    );
    const tokens = { input: 10, output: 4, reasoning: 6, cache: { write: 5, read: 3 } };
    const opencode = { type: "step_finish", part: { id: "p", reason: "tool-calls", tokens, cost: 0 } };
    expect(eventsIn(opencodeAdapter, [opencode])).toEqual([
      {
        kind: "usage",
        scope: "step",
        id: "p",
        usage: { inputTokens: 15, cachedTokens: 3, outputTokens: 10, microUsd: null },
      },
    ]);
  });

  it("of one of Claude's own agents counts, though its text does not", () => {
    const message = { id: "m", content: [{ type: "text", text: "inner" }], usage: { input_tokens: 1 } };
    expect(eventsIn(claudeAdapter, [{ type: "assistant", parent_tool_use_id: "t", message }])).toMatchObject([
      { kind: "usage" },
    ]);
  });
});

describe("the final message", () => {
  it("is the text after the last tool call only", () => {
    const delta = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
    const lines = [
      delta("[delegate:early:1]"),
      { type: "tool_use", tool_name: "x", tool_id: "t" },
      { type: "tool_result", tool_id: "t", status: "success", output: "[delegate:from a tool:1]" },
      delta("the "),
      delta("end"),
      { type: "result", status: "success", stats: {} },
    ];
    expect(judge(geminiAdapter, lines)).toMatchObject({ ok: true, finalText: "the end" });
  });

  it("is never the prompt that Gemini repeats", () => {
    const events = eventsOf(geminiAdapter, "gemini-stream-json.jsonl");
    expect(events.filter((event) => event.kind === "text" && event.text.includes("@@SCRIPT"))).toEqual([]);
  });

  it("is Codex's last message alone", () => {
    const message = (text: string) => ({ type: "item.completed", item: { type: "agent_message", text } });
    const lines = [message("thinking aloud"), message("answer"), { type: "turn.completed", usage: {} }];
    expect(judge(codexAdapter, lines).finalText).toBe("answer");
  });

  it("is kept when the run failed after it", () => {
    const text = { type: "assistant", message: { id: "m", content: [{ type: "text", text: "half done" }] } };
    const failed = { type: "result", subtype: "error_max_turns", is_error: true, errors: ["too many"] };
    expect(judge(claudeAdapter, [text, failed], 1)).toMatchObject({ ok: false, finalText: "half done" });
  });
});

describe("a session name", () => {
  it("is never accepted as an option or a path, because it becomes an argument of the next start", () => {
    const sessions = (adapter: AgentAdapter, line: object) =>
      eventsIn(adapter, [line]).filter((event) => event.kind === "session-known");
    for (const id of [
      "--dangerously-bypass-approvals-and-sandbox",
      "../x",
      "a b",
      "",
      7,
      null,
      "x".repeat(300),
    ]) {
      expect(sessions(claudeAdapter, { type: "system", subtype: "init", session_id: id })).toEqual([]);
      expect(sessions(codexAdapter, { type: "thread.started", thread_id: id })).toEqual([]);
      expect(sessions(geminiAdapter, { type: "init", session_id: id })).toEqual([]);
      expect(sessions(opencodeAdapter, { type: "step_start", sessionID: id })).toEqual([]);
    }
    expect(sessions(codexAdapter, { type: "thread.started", thread_id: "01a1-b" })).toHaveLength(1);
  });
});

describe("an agent's own agents", () => {
  it("are switched off in each CLI by its own switch", () => {
    const { argv } = claudeAdapter.build(spec);
    const tools = argv[argv.indexOf("--tools") + 1]?.split(",") ?? [];
    for (const own of ["Agent", "Task", "Workflow", "SendMessage", "CronCreate", "ToolSearch"]) {
      expect(tools).not.toContain(own);
    }
    expect(codexAdapter.build(spec).argv).toContain("features.multi_agent=false");
    expect(geminiAdapter.build(spec).files?.[0]?.content).toContain("invoke_agent");
    const settings: unknown = JSON.parse(
      opencodeAdapter.build(spec).environment["OPENCODE_CONFIG_CONTENT"] ?? "",
    );
    expect(settings).toMatchObject({
      permission: { task: "deny" },
      agent: { build: { permission: { task: "deny" } } },
    });
  });
});
