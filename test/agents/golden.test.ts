import { describe, expect, it } from "vitest";
import type { AgentAdapter, RunEnd } from "../../src/agents/adapter-types/agent-adapter.ts";
import { claudeAdapter } from "../../src/agents/adapters/claude/program.ts";
import { codexAdapter } from "../../src/agents/adapters/codex/program.ts";
import { geminiAdapter } from "../../src/agents/adapters/gemini/program.ts";
import { opencodeAdapter } from "../../src/agents/adapters/opencode/program.ts";
import { UsageMeter } from "../../src/ledger/usage-meter.ts";
import { eventsOf } from "./conformance.ts";

interface Golden {
  readonly sample: string;
  readonly adapter: AgentAdapter;
  readonly exit: number;
  readonly end: RunEnd;
  /** Uncached input, cached input and output. Each call reported 1000, 200 and 50; only Claude's 1000 exclude the 200. */
  readonly tokens: readonly [number, number, number];
  readonly microUsd?: number;
}

/** Equal inputs have equal hashes; the input itself is not kept. */
const aHash = expect.stringMatching(/^[0-9a-f]{16}$/);
const done = "DONE: wrote hello.txt and delegated.";

const goldens: readonly Golden[] = [
  {
    sample: "claude-stream-json.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: { ok: true, finalText: done, reason: "success" },
    tokens: [3000, 600, 150],
    microUsd: 11_430,
  },
  {
    sample: "claude-mcp-idle-timeout.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: { ok: true, finalText: "DONE", reason: "success" },
    tokens: [2000, 400, 100],
    microUsd: 7620,
  },
  {
    sample: "claude-result-api-error.jsonl",
    adapter: claudeAdapter,
    exit: 1,
    end: {
      ok: false,
      finalText: "",
      code: "PROVIDER_FAILED",
      reason:
        "api_error: API Error: 500 scripted. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:4010).",
    },
    tokens: [0, 0, 0],
  },
  {
    sample: "claude-result-json-schema-missed-but-success.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: { ok: true, finalText: "not json", reason: "success" },
    tokens: [2000, 400, 100],
    microUsd: 7620,
  },
  {
    sample: "claude-result-json-schema-ok.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: { ok: true, finalText: '{"status":"ok","n":1}', reason: "success" },
    tokens: [1000, 200, 50],
    microUsd: 3810,
  },
  {
    sample: "claude-result-max-budget.jsonl",
    adapter: claudeAdapter,
    exit: 1,
    end: {
      ok: false,
      finalText: "",
      code: "COST_LIMIT_EXCEEDED",
      reason: "error_max_budget_usd: Reached maximum budget ($0.008)",
    },
    tokens: [3000, 600, 150],
    microUsd: 11_430,
  },
  {
    sample: "claude-result-max-turns.jsonl",
    adapter: claudeAdapter,
    exit: 1,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_TURN_LIMIT",
      reason: "error_max_turns: Reached maximum number of turns (2)",
    },
    tokens: [2000, 400, 100],
    microUsd: 7620,
  },
  {
    sample: "claude-result-permission-denied.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "DONE",
      code: "AGENT_NEEDS_PERMISSION",
      reason: "It was denied what it asked for: Write.",
    },
    tokens: [2000, 400, 100],
    microUsd: 7620,
  },
  {
    sample: "claude-result-resumed-cumulative-cost.jsonl",
    adapter: claudeAdapter,
    exit: 1,
    end: {
      ok: false,
      finalText: "",
      code: "COST_LIMIT_EXCEEDED",
      reason: "error_max_budget_usd: Reached maximum budget ($0.009)",
    },
    tokens: [5000, 1000, 250],
    microUsd: 19_050,
  },
  {
    sample: "claude-result-sigint-exit0.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_STREAM_BROKEN",
      reason:
        "error_during_execution: [ede_diagnostic] result_type=user last_content_type=n/a stop_reason=tool_use",
    },
    tokens: [1000, 200, 50],
    microUsd: 3810,
  },
  {
    sample: "claude-tool-search-hides-mcp.jsonl",
    adapter: claudeAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: done,
      code: "AGENT_STREAM_BROKEN",
      reason: "It exited with code 0 before its last event.",
    },
    // This run was recorded without partial messages, which report the output tokens.
    tokens: [3000, 600, 0],
  },
  {
    sample: "codex-exec.jsonl",
    adapter: codexAdapter,
    exit: 0,
    end: { ok: true, finalText: done, reason: "turn.completed" },
    tokens: [2400, 600, 150],
  },
  {
    sample: "codex-mcp-needs-approval.jsonl",
    adapter: codexAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: done,
      code: "AGENT_NEEDS_PERMISSION",
      reason: "It was denied what it asked for: probe/delegate.",
    },
    tokens: [2400, 600, 150],
  },
  {
    sample: "codex-mcp-timeout.jsonl",
    adapter: codexAdapter,
    exit: 0,
    end: { ok: true, finalText: "DONE", reason: "turn.completed" },
    tokens: [1600, 400, 100],
  },
  {
    sample: "codex-resume-first-run.jsonl",
    adapter: codexAdapter,
    exit: 0,
    end: { ok: true, finalText: "", reason: "turn.completed" },
    tokens: [1600, 400, 100],
  },
  {
    sample: "codex-resume-cumulative-usage.jsonl",
    adapter: codexAdapter,
    exit: 0,
    end: { ok: true, finalText: "SECOND", reason: "turn.completed" },
    tokens: [2400, 600, 150],
  },
  {
    sample: "codex-turn-failed.jsonl",
    adapter: codexAdapter,
    exit: 1,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_NOT_LOGGED_IN",
      reason:
        "turn.failed: unexpected status 401 Unauthorized: scripted, url: http://127.0.0.1:4010/v1/responses",
    },
    tokens: [0, 0, 0],
  },
  {
    sample: "gemini-stream-json.jsonl",
    adapter: geminiAdapter,
    exit: 0,
    end: { ok: true, finalText: done, reason: "success" },
    tokens: [2400, 600, 150],
  },
  {
    sample: "gemini-api-error.jsonl",
    adapter: geminiAdapter,
    exit: 145,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_NOT_LOGGED_IN",
      reason: 'error: [API Error: {"error":{"code":401,"message":"scripted","status":"RESOURCE_EXHAUSTED"}}]',
    },
    tokens: [0, 0, 0],
  },
  {
    sample: "gemini-json.jsonl",
    adapter: geminiAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_STREAM_BROKEN",
      reason: expect.stringContaining("printed only text that is not one of its events"),
    },
    tokens: [0, 0, 0],
  },
  {
    sample: "gemini-loop-detected-exit0.jsonl",
    adapter: geminiAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_LOOPED",
      reason: "loop: Loop detected, stopping execution",
    },
    tokens: [3200, 800, 200],
  },
  {
    sample: "gemini-turn-limit-exit53.jsonl",
    adapter: geminiAdapter,
    exit: 53,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_TURN_LIMIT",
      reason:
        "turns: Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.",
    },
    tokens: [1600, 400, 100],
  },
  {
    sample: "opencode-run.jsonl",
    adapter: opencodeAdapter,
    exit: 0,
    end: { ok: true, finalText: done, reason: "stop" },
    tokens: [2400, 600, 150],
    microUsd: 9630,
  },
  {
    sample: "opencode-api-error-exit1.jsonl",
    adapter: opencodeAdapter,
    exit: 1,
    end: { ok: false, finalText: "", code: "AGENT_NOT_LOGGED_IN", reason: "APIError: scripted" },
    tokens: [0, 0, 0],
  },
  {
    sample: "opencode-doom-loop.jsonl",
    adapter: opencodeAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_LOOPED",
      reason: "doom_loop: The user rejected permission to use this specific tool call.",
    },
    tokens: [0, 0, 0],
  },
  {
    sample: "opencode-permission-auto-rejected-exit0.jsonl",
    adapter: opencodeAdapter,
    exit: 0,
    end: {
      ok: false,
      finalText: "",
      code: "AGENT_NEEDS_PERMISSION",
      reason: "It was denied what it asked for: write.",
    },
    tokens: [800, 200, 50],
    microUsd: 3210,
  },
];

const noPrice = (): undefined => undefined;

describe("recorded runs of real CLIs", () => {
  for (const { sample, adapter, exit, end, tokens, microUsd } of goldens) {
    it(`judges ${sample} with exit ${exit} as recorded`, () => {
      expect(adapter.settle({ code: exit, signal: null }, eventsOf(adapter, sample))).toEqual(end);
    });

    it(`books the usage of ${sample} once`, () => {
      const meter = new UsageMeter({ inputTokens: 0, cachedTokens: 0, outputTokens: 0, microUsd: 0 });
      for (const event of eventsOf(adapter, sample)) {
        if (event.kind === "usage") meter.take(event, noPrice);
      }
      const { inputTokens = 0, cachedTokens = 0, outputTokens = 0, microUsd: paid = 0 } = meter.due() ?? {};
      expect([inputTokens, cachedTokens, outputTokens]).toEqual(tokens);
      expect(paid).toBe(microUsd ?? 0);
    });
  }
});

describe("the events of one whole run", () => {
  const call = (name: string, id: string) => [
    { kind: "tool-called", name, id, input: aHash },
    { kind: "tool-ended", id, ok: true },
  ];
  const without = (adapter: AgentAdapter, sample: string) =>
    eventsOf(adapter, sample).filter((event) => event.kind !== "usage");
  const said = { kind: "text", text: "I will write the file." };
  const last = { kind: "text", text: done };

  it("of Claude Code", () => {
    expect(without(claudeAdapter, "claude-stream-json.jsonl")).toEqual([
      { kind: "session-known", id: "1b2fb54d-5e89-418b-aaa2-2b48d8dbc145" },
      said,
      ...call("Write", "toolu_000001"),
      ...call("mcp__probe__delegate", "toolu_000003"),
      last,
      { kind: "final", ok: true, text: done, reason: "success" },
    ]);
  });

  it("of Codex", () => {
    expect(without(codexAdapter, "codex-exec.jsonl")).toEqual([
      { kind: "session-known", id: "01a1dd29-8937-7441-8cd0-3bbc254abb3f" },
      said,
      ...call("shell", "item_2"),
      ...call("probe/delegate", "item_3"),
      last,
      { kind: "final", ok: true, text: "", reason: "turn.completed" },
    ]);
  });

  it("of Gemini CLI", () => {
    expect(without(geminiAdapter, "gemini-stream-json.jsonl")).toEqual([
      { kind: "session-known", id: "cf2862ec-430e-44cf-ae2d-be85c4b300f7" },
      said,
      ...call("write_file", "write_file__fc_000001"),
      ...call("mcp_probe_delegate", "mcp_probe_delegate__fc_000003"),
      last,
      { kind: "final", ok: true, text: "", reason: "success" },
    ]);
  });

  it("of OpenCode", () => {
    const session = { kind: "session-known", id: "ses_e22cdba7bffegFixk50UMlHmSE" };
    expect(without(opencodeAdapter, "opencode-run.jsonl")).toEqual([
      session,
      said,
      ...call("write", "call_000003"),
      session,
      ...call("probe_delegate", "call_000005"),
      session,
      last,
      { kind: "final", ok: true, text: "", reason: "stop" },
    ]);
  });
});
