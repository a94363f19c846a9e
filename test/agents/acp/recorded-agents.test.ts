import { resolve } from "node:path";
import { describe, expect } from "vitest";
import type { AgentEvent } from "../../../src/agents/adapter-types/agent-adapter.ts";
import { it, type ClientRun } from "./run-client.ts";

const sample = (name: string): object => ({ replay: resolve(`test/agents/acp/samples/${name}.jsonl`) });

/** The events of a run as texts, each call once. Usage is left out, because it has expectations of its own. */
function told({ events }: ClientRun): readonly string[] {
  const called = new Set<string | undefined>();
  return events.flatMap((event): readonly string[] => {
    if (event.kind === "text") return [event.text];
    if (event.kind === "tool-called") {
      const isKnown = called.has(event.id);
      called.add(event.id);
      return isKnown ? [] : [`> ${event.name}`];
    }
    if (event.kind === "tool-ended") return [`< ${event.ok ? "ok" : "failed"}`];
    if (event.kind === "usage") return [];
    return event.kind === "final" ? [`${event.reason}: ${event.text}`] : [event.kind];
  });
}

function usage({ events }: ClientRun): readonly Extract<AgentEvent, { kind: "usage" }>[] {
  return events.filter((event) => event.kind === "usage");
}

/** The differences that the fake agent found between our client's messages and the recorded ones. */
function differences({ wire }: ClientRun): readonly unknown[] {
  const answers = wire.flatMap((entry) =>
    "answered" in entry && JSON.stringify(entry["answered"]) !== withVersion(entry["recorded"])
      ? [entry]
      : [],
  );
  return [...wire.filter((entry) => "unexpected" in entry), ...answers];
}

/** The recording client left out the version of JSON-RPC. */
function withVersion(message: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(typeof message === "object" ? message : {}) });
}

const work = (write: string, delegate: string): readonly string[] => [
  "session-known",
  "I will write the file.",
  `> ${write}`,
  "< ok",
  `> ${delegate}`,
  "< ok",
  "DONE: wrote hello.txt and delegated.",
  "end_turn: DONE: wrote hello.txt and delegated.",
];

describe.concurrent("recorded conversations of real agents", () => {
  it("of Gemini have tool names in ids, and usage in the metadata of the last answer", async ({
    workshop,
  }) => {
    const run = await workshop.run(sample("gemini"));
    expect(told(run)).toEqual(work("write_file", "mcp_probe_delegate"));
    expect(usage(run)).toEqual([
      {
        kind: "usage",
        scope: "run",
        id: "turn-1",
        usage: {
          model: "gemini-2.5-pro",
          inputTokens: 3000,
          cachedTokens: 0,
          outputTokens: 150,
          microUsd: null,
        },
      },
    ]);
    expect(differences(run)).toEqual([]);
    expect(run.end).toMatchObject({ ok: true, finalText: "DONE: wrote hello.txt and delegated." });
    expect(run.code).toBe(0);
  });

  it("of OpenCode have dollars for the whole session, which are never counted as a step", async ({
    workshop,
  }) => {
    const run = await workshop.run(sample("opencode"));
    expect(told(run)).toEqual(work("write", "probe_delegate"));
    expect(usage(run)).toMatchObject([
      { scope: "session", usage: { inputTokens: 0, outputTokens: 0, microUsd: 9630 } },
      { scope: "run", usage: { inputTokens: 800, cachedTokens: 200, outputTokens: 50, microUsd: null } },
    ]);
    expect(usage(run)[0]?.usage.model).toBe("mock/mock-1");
  });

  it("of Qwen have the usage of each request as it happens, with cached input included in the input", async ({
    workshop,
  }) => {
    const run = await workshop.run(sample("qwen"));
    expect(told(run)).toEqual(work("write_file", "mcp__probe__delegate"));
    const step = {
      scope: "step",
      usage: { model: "mock-1", inputTokens: 800, cachedTokens: 200, outputTokens: 50 },
    };
    expect(usage(run)).toMatchObject([step, step, step]);
    expect(differences(run)).toMatchObject([
      // The recording client worded its error about an unknown method differently; the code is the same.
      { answered: { error: { code: -32601 } }, recorded: { error: { code: -32601 } } },
    ]);
  });

  it("of Copilot have cached input included in the input, as the total shows", async ({ workshop }) => {
    const run = await workshop.run(sample("copilot"));
    expect(told(run)).toEqual(["session-known", "> probe-delegate", "< ok", "DONE.", "end_turn: DONE."]);
    expect(usage(run)).toMatchObject([
      { scope: "run", usage: { inputTokens: 1600, cachedTokens: 400, outputTokens: 100 } },
    ]);
    expect(differences(run)).toEqual([]);
  });

  it("of Claude's bridge have cached input apart from the input, and dollars for the whole session", async ({
    workshop,
  }) => {
    const run = await workshop.run(sample("claude-agent-acp"));
    expect(told(run)).toEqual(work("Write", "mcp__probe__delegate"));
    expect(usage(run)).toMatchObject([
      { scope: "session", usage: { model: "claude-sonnet-4-5", microUsd: 15_240 } },
      { scope: "run", usage: { inputTokens: 3000, cachedTokens: 600, outputTokens: 150 } },
    ]);
    expect(differences(run)).toEqual([]);
  });

  it("of Codex's bridge are read with their calls, their warning and the usage of the whole turn", async ({
    workshop,
  }) => {
    const run = await workshop.run(sample("codex-acp"));
    const [session, warning, ...rest] = told(run);
    expect(warning).toContain("Model metadata for `mock-1` not found");
    expect([session, ...rest]).toEqual(work("exec_command", "mcp.probe.delegate"));
    expect(usage(run)).toMatchObject([
      { scope: "run", usage: { model: "mock-1", inputTokens: 2400, cachedTokens: 600, outputTokens: 150 } },
    ]);
    expect(differences(run)).toEqual([]);
  });

  it("of Codex's bridge can be stopped: our client cancels the turn, keeps its usage and ends as cancelled", async ({
    workshop,
  }) => {
    const client = workshop.start(sample("cancel-codex"));
    const calling = new Promise<void>((seen) => {
      client.process.stdout?.on("data", (chunk: Buffer) => {
        if (chunk.includes('"acp":"tool"')) seen();
      });
    });
    await calling;
    client.process.kill("SIGTERM");
    const run = await client.ended;
    expect(run.methods).toEqual(["initialize", "session/new", "session/prompt", "session/cancel"]);
    expect(told(run).slice(-2)).toEqual(["> exec_command", expect.stringContaining("cancelled: Warning")]);
    expect(usage(run)).toMatchObject([
      { scope: "run", usage: { inputTokens: 800, cachedTokens: 200, outputTokens: 50 } },
    ]);
    expect(run.end).toMatchObject({ ok: false, reason: "cancelled" });
    expect(run.end.code).toBeUndefined();
    expect(run.code).toBe(143);
  });
});
