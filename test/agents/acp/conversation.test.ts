import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { ClientRun } from "./run-client.ts";
import { it } from "./run-client.ts";

const say = (text: string, messageId?: string): object => ({
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId },
});
const OPTIONS = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "once", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const may = (toolCall: object, options: readonly object[] = OPTIONS): object => ({
  ask: { method: "session/request_permission", params: { toolCall, options } },
});

function chosen({ wire }: ClientRun): readonly unknown[] {
  return wire.flatMap(({ method, answer }) => (method === "session/request_permission" ? [answer] : []));
}

function prompts({ wire }: ClientRun): readonly string[] {
  return wire.flatMap(({ heard }) =>
    heard?.method === "session/prompt" ? [JSON.stringify(heard.params)] : [],
  );
}

const selected = (optionId: string): object => ({
  result: { outcome: { outcome: "selected", optionId } },
});

describe.concurrent("permissions", () => {
  it("allows changes inside the workspace once, even if a permanent permission is offered first", async ({
    workshop,
  }) => {
    const edit = { toolCallId: "c1", title: "Write", kind: "edit", locations: [{ path: "a/b.txt" }] };
    const run = await workshop.run({ turns: [[may(edit), may({ toolCallId: "c2", kind: "execute" })]] });
    expect(chosen(run)).toMatchObject([selected("once"), selected("once")]);
    expect(run.events.filter(({ kind }) => kind === "denied")).toEqual([]);
    expect(run.end.ok).toBe(true);
  });

  it("allows the return and refuses changes elsewhere, however the agent describes them", async ({
    workshop,
  }) => {
    const edit = (more: object): object => may({ toolCallId: "c1", title: "Write", kind: "edit", ...more });
    const run = await workshop.run({
      turns: [
        [
          edit({ locations: [{ path: join(workshop.folder, "return.json") }] }),
          edit({ locations: [{ path: "/etc/passwd" }] }),
          edit({ content: [{ type: "diff", path: "../outside.txt" }] }),
          edit({ rawInput: { file_path: `${workshop.cwd}-other/x` } }),
          edit({ rawInput: { changes: { "/root/.profile": {} } } }),
        ],
      ],
    });
    expect(chosen(run)).toMatchObject(["once", "no", "no", "no", "no"].map(selected));
    expect(run.events.filter(({ kind }) => kind === "denied")).toHaveLength(4);
    // The agent was informed of the refusals and found another way, so its run did not fail.
    expect(run.end).toMatchObject({ ok: true });
  });

  it("refuses the agent's own way to delegate; a turn cancelled after that needs a person", async ({
    workshop,
  }) => {
    const call = { toolCallId: "c1", title: "Look into it", kind: "think", _meta: { toolName: "Task" } };
    const run = await workshop.run({ turns: [[may(call), { result: { stopReason: "cancelled" } }]] });
    expect(chosen(run)).toMatchObject([selected("no")]);
    expect(run.events).toContainEqual({ kind: "denied", tool: "Task" });
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_NEEDS_PERMISSION" });
  });

  it("chooses a permanent permission if no single one is offered, and cancels if no option fits", async ({
    workshop,
  }) => {
    const call = { toolCallId: "c1", title: "x", kind: "execute" };
    const run = await workshop.run({
      turns: [
        [may(call, OPTIONS.slice(0, 1)), may(call, []), { ask: { method: "session/request_permission" } }],
      ],
    });
    const cancelled = { result: { outcome: { outcome: "cancelled" } } };
    expect(chosen(run)).toMatchObject([selected("always"), cancelled, cancelled]);
  });
});

describe.concurrent("messages", () => {
  it("joins chunks into messages: a new id or a tool call starts a new message", async ({ workshop }) => {
    const tool = {
      update: { sessionUpdate: "tool_call", toolCallId: "t", title: "ls", status: "completed" },
    };
    const plan = { update: { sessionUpdate: "plan", entries: [{ content: "later", status: "pending" }] } };
    const run = await workshop.run({
      turns: [[say("a", "1"), say("b", "1"), plan, say("c", "2"), tool, say("d"), say("e")]],
    });
    expect(run.events.flatMap((event) => (event.kind === "text" ? [event.text] : []))).toEqual([
      "ab",
      "c",
      "de",
    ]);
    expect(run.end.finalText).toBe("de");
  });

  it("keeps notices apart from the model's text (Copilot)", async ({ workshop }) => {
    const used = { update: { sessionUpdate: "usage_update", used: 1, size: 2 } };
    const ended = { update: { sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" } };
    const steps = [
      say("Info: tools"),
      used,
      say("I be"),
      say("gin."),
      ended,
      say("Info: a.txt"),
      used,
      say("Done."),
    ];
    const run = await workshop.run({ turns: [steps] });
    expect(run.events.flatMap((event) => (event.kind === "text" ? [event.text] : []))).toEqual([
      "Info: tools",
      "I begin.",
      "Info: a.txt",
      "Done.",
    ]);
    expect(run.end.finalText).toBe("Done.");
  });

  it("does not split a message with an id at a usage report", async ({ workshop }) => {
    const used = { update: { sessionUpdate: "usage_update", used: 1, size: 2 } };
    const run = await workshop.run({ turns: [[say("one ", "1"), used, say("message", "1")]] });
    expect(run.end.finalText).toBe("one message");
  });

  it("passes on a message of any length in pieces that fit into a line", async ({ workshop }) => {
    // Each of these characters needs six bytes in JSON.
    const run = await workshop.run({ turns: [[say("\u0001".repeat(400_000)), say("end")]] });
    const texts = run.events.flatMap((event) => (event.kind === "text" ? [event.text] : []));
    expect(texts.join("")).toBe(`${"\u0001".repeat(400_000)}end`);
    const longest = Math.max(...run.stdout.split("\n").map((line) => Buffer.byteLength(line)));
    expect(longest).toBeLessThan(1024 * 1024);
    expect(run.end.finalText.endsWith("\u0001end")).toBe(true);
  });

  it("ignores messages of other sessions", async ({ workshop }) => {
    const foreign = {
      print: `${JSON.stringify({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId: "other",
          update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "foreign" } },
        },
      })}\n`,
    };
    const run = await workshop.run({ turns: [[foreign, say("own")]] });
    expect(run.stdout).not.toContain("foreign");
    expect(run.end.finalText).toBe("own");
  });

  it("passes our MCP server and requests no capability it does not serve", async ({ workshop }) => {
    const mcp = { command: "/usr/bin/node", arguments: ["a.js", "mcp"], environment: { TOKEN: "t" } };
    const run = await workshop.run({}, { mcp });
    const [hello, session] = run.wire.flatMap(({ heard }) => (heard === undefined ? [] : [heard.params]));
    expect(hello).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    expect(session).toEqual({
      cwd: workshop.cwd,
      mcpServers: [
        {
          name: "ambit",
          command: "/usr/bin/node",
          args: ["a.js", "mcp"],
          env: [{ name: "TOKEN", value: "t" }],
        },
      ],
    });
  });

  it("names the folder for the return if the agent accepts folders", async ({ workshop }) => {
    const initialize = { agentCapabilities: { sessionCapabilities: { additionalDirectories: {} } } };
    const run = await workshop.run({ initialize });
    expect(JSON.stringify(run.wire)).toContain(`"additionalDirectories":["${workshop.folder}"]`);
  });
});

describe.concurrent("sessions", () => {
  const earlier = { resumeSession: "session-1" };
  const history = [
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "old question" } },
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "old answer" } },
    { sessionUpdate: "tool_call", toolCallId: "old", title: "old", status: "completed" },
  ];

  it("loads the earlier session and ignores its replay, even after the answer", async ({ workshop }) => {
    const initialize = { agentCapabilities: { loadSession: true } };
    const run = await workshop.run(
      { initialize, history, lateHistory: history, turns: [[{ workMs: 300 }, say("new")]] },
      earlier,
    );
    expect(run.methods).toEqual(["initialize", "session/load", "session/prompt"]);
    expect(run.stdout).not.toContain("old");
    expect(run.stdout).toContain('{"acp":"session","id":"session-1","resumed":true}');
    expect(run.end).toMatchObject({ ok: true, finalText: "new" });
  });

  it("resumes without a replay if the agent supports that", async ({ workshop }) => {
    const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {} } };
    const run = await workshop.run({ initialize: { agentCapabilities } }, earlier);
    expect(run.methods).toEqual(["initialize", "session/resume", "session/prompt"]);
    expect(prompts(run)[0]).toContain("session-1");
  });

  it("starts a new session with the same prompt if the old one is lost", async ({ workshop }) => {
    const agentCapabilities = { loadSession: true, sessionCapabilities: { resume: {} } };
    const lost = { code: -32_602, message: "Unknown session" };
    const run = await workshop.run(
      {
        initialize: { agentCapabilities },
        sessionId: "session-2",
        errors: { "session/load": [lost], "session/resume": [lost] },
      },
      earlier,
    );
    expect(run.methods).toEqual([
      "initialize",
      "session/resume",
      "session/load",
      "session/new",
      "session/prompt",
    ]);
    expect(run.events).toContainEqual({ kind: "session-known", id: "session-2" });
    expect(prompts(run)[0]).toContain("Do it");
    expect(run.end.ok).toBe(true);
  });

  it("starts a new session if the agent keeps none", async ({ workshop }) => {
    const run = await workshop.run({}, earlier);
    expect(run.methods).toEqual(["initialize", "session/new", "session/prompt"]);
  });

  it("uses the available key when the agent asks for a login, and reports a missing key", async ({
    workshop,
  }) => {
    const needed = { code: -32_000, message: "Authentication required" };
    const authMethods = [{ id: "oauth-personal" }, { id: "gemini-api-key" }];
    const errors = { "session/new": [needed] };
    const run = await workshop.run({ initialize: { authMethods }, errors });
    expect(run.methods).toEqual([
      "initialize",
      "session/new",
      "authenticate",
      "session/new",
      "session/prompt",
    ]);
    expect(JSON.stringify(run.wire)).toContain('"methodId":"gemini-api-key"');
    const without = await workshop.run({ initialize: { authMethods: authMethods.slice(0, 1) }, errors });
    expect(without.end).toMatchObject({ ok: false, code: "AGENT_NOT_LOGGED_IN" });
    expect(without.code).toBe(1);
  });
});

describe.concurrent("models", () => {
  const models = {
    currentModelId: "small",
    availableModels: [{ modelId: "small" }, { modelId: "vendor/large", name: "Large" }],
  };
  const configOptions = [
    {
      id: "model",
      category: "model",
      currentValue: "small",
      options: [{ value: "small" }, { value: "large" }],
    },
  ];
  const asked = ({ wire }: ClientRun): readonly unknown[] =>
    wire.flatMap(({ heard }) => (heard?.method?.startsWith("session/set") === true ? [heard] : []));

  it("are requested by id or by name, as the agent offers them", async ({ workshop }) => {
    const byList = await workshop.run({ session: { models } }, { model: "Large" });
    expect(asked(byList)).toMatchObject([
      { method: "session/set_model", params: { sessionId: "session-1", modelId: "vendor/large" } },
    ]);
    const byOption = await workshop.run({ session: { configOptions } }, { model: "large" });
    expect(asked(byOption)).toMatchObject([
      { method: "session/set_config_option", params: { configId: "model", value: "large" } },
    ]);
  });

  it("are not requested if already in use or not selectable", async ({ workshop }) => {
    expect(asked(await workshop.run({ session: { models } }, { model: "small" }))).toEqual([]);
    const run = await workshop.run({}, { model: "large" });
    expect(asked(run)).toEqual([]);
    expect(run.end.ok).toBe(true);
  });

  it("end the run if the requested one is not offered", async ({ workshop }) => {
    const run = await workshop.run({ session: { models } }, { model: "huge" });
    expect(run.methods).toEqual(["initialize", "session/new"]);
    expect(run.end).toMatchObject({ ok: false, code: "CONFIG_INVALID" });
    expect(run.end.reason).toContain("no model huge; it offers small, vendor/large");
  });
});

describe.concurrent("the client", () => {
  const ending = (stopReason: string): object => ({ turns: [[say("so far"), { result: { stopReason } }]] });

  it("judges the end of a turn by its stop reason", async ({ workshop }) => {
    expect((await workshop.run(ending("max_turn_requests"))).end).toMatchObject({
      ok: false,
      code: "AGENT_TURN_LIMIT",
      finalText: "so far",
    });
    expect((await workshop.run(ending("max_tokens"))).end).toMatchObject({ ok: false, exhausted: true });
    expect((await workshop.run(ending("refusal"))).end).toMatchObject({ ok: false, code: "UNKNOWN_ERROR" });
    expect((await workshop.run({ turns: [[{ result: { odd: true } }]] })).end).toMatchObject({
      ok: false,
      code: "AGENT_STREAM_BROKEN",
    });
  });

  it("reports a provider's refusal with its status and how long to wait", async ({ workshop }) => {
    const error = { code: 429, message: "Rate limit exceeded. Try again in 30s." };
    const run = await workshop.run({ turns: [[{ error }]] });
    expect(run.events).toContainEqual({
      kind: "provider-failed",
      failure: { status: 429, message: error.message, isRateLimit: true, retryAfterMs: 30_000 },
    });
    expect(run.end).toMatchObject({ ok: false, code: "RATE_LIMITED" });
    const hidden = { code: -32_603, message: "Internal error", data: { details: "API Error: 500 broken" } };
    expect((await workshop.run({ turns: [[{ error: hidden }]] })).end).toMatchObject({
      code: "PROVIDER_FAILED",
      reason: expect.stringContaining("API Error: 500 broken"),
    });
  });

  it("names a missing program", async ({ workshop }) => {
    const run = await workshop.run({}, { command: ["no-such-agent", "--acp"] });
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_NOT_INSTALLED" });
    expect(run.end.reason).toContain("no-such-agent");
    const wrong = await workshop.run({}, { command: [join(workshop.folder, "nothing")] });
    expect(wrong.end).toMatchObject({ ok: false, code: "AGENT_NOT_INSTALLED" });
  });

  it("looks for the program on the user's own PATH, not on the worker's", async ({ workshop }) => {
    const { files = [] } = workshop.build(
      {},
      { command: ["node", "x"], userEnvironment: { PATH: "/nowhere" } },
    );
    expect(files[0]?.content).toContain('"search_path":"/nowhere"');
    const run = await workshop.run({}, { command: ["node"], userEnvironment: { PATH: "/nowhere" } });
    expect(run.end).toMatchObject({ code: "AGENT_NOT_INSTALLED" });
  });

  it("refuses another version of the protocol", async ({ workshop }) => {
    const run = await workshop.run({ initialize: { protocolVersion: 2 } });
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(run.end.reason).toContain("ACP version 2");
  });

  it("passes the agent's stderr on to its own", async ({ workshop }) => {
    const run = await workshop.run(
      {},
      { command: [process.execPath, "-e", "console.error('no key'); process.exit(3)"] },
    );
    expect(run.stderr).toContain("no key");
    expect(run.end).toMatchObject({ ok: false, code: "AGENT_STREAM_BROKEN" });
    expect(run.end.reason).toContain("exited with code 3");
    expect(readFileSync(join(workshop.folder, "wire.jsonl"), "utf8")).toBe("");
  });
});
