import { describe, expect, it } from "vitest";
import type { ModelScriptsInput } from "../../src/testing/index.ts";
import {
  apis,
  eventsOf,
  modelServer,
  postJson,
  type ApiDriver,
  type Event,
  anthropic,
  responses,
  chat,
  gemini,
  type Json,
} from "./ask-model.ts";

const SCRIPTS: ModelScriptsInput = {
  words: [{ text: "A short text, long enough for two pieces.", usage: { input: 10, cached: 4, output: 3 } }],
  both: [{ text: "Now.", calls: [{ sh: "echo one" }, { call: { tool: "look", arguments: { at: "ä🙂" } } }] }],
};
const TOOLS = ["Bash", "look"];

async function stream(api: ApiDriver, script: string): Promise<readonly Event[]> {
  const { url } = await modelServer(SCRIPTS);
  const response = await api.ask(url, { talk: [`@@S:${script}`], tools: TOOLS, stream: true });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return eventsOf(response);
}

async function document(api: ApiDriver, script: string): Promise<Json> {
  const { url } = await modelServer(SCRIPTS);
  return (await api.ask(url, { talk: [`@@S:${script}`], tools: TOOLS })).json();
}

describe("Anthropic Messages", () => {
  it("streams text between message_start and message_stop, in pieces", async () => {
    const events = await stream(anthropic, "words");
    expect(events.map(({ name }) => name)).toStrictEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.every(({ name, data }) => data.type === name)).toBe(true);
    expect(events[0]?.data.message).toMatchObject({
      type: "message",
      role: "assistant",
      model: "mock-1",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
    });
    expect(textOf(events, ({ data }) => data.delta?.text)).toBe("A short text, long enough for two pieces.");
    expect(events[6]?.data).toStrictEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: {
        input_tokens: 10,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 4,
        output_tokens: 3,
      },
    });
  });

  it("gives each call its own block, with its arguments as pieces of JSON", async () => {
    const events = await stream(anthropic, "both");
    const starts = events.filter(({ name }) => name === "content_block_start").map(({ data }) => data);
    expect(starts).toMatchObject([
      { index: 0, content_block: { type: "text", text: "" } },
      { index: 1, content_block: { type: "tool_use", name: "Bash", input: {} } },
      { index: 2, content_block: { type: "tool_use", name: "look", input: {} } },
    ]);
    const json = (index: number) =>
      JSON.parse(textOf(events, ({ data }) => (data.index === index ? data.delta?.partial_json : undefined)));
    expect([json(1), json(2)]).toStrictEqual([{ command: "echo one" }, { at: "ä🙂" }]);
    expect(new Set(starts.slice(1).map(({ content_block }) => content_block.id)).size).toBe(2);
    expect(events.at(-2)?.data.delta.stop_reason).toBe("tool_use");
  });

  it("answers in one document without streaming", async () => {
    expect(await document(anthropic, "both")).toMatchObject({
      type: "message",
      content: [
        { type: "text", text: "Now." },
        { type: "tool_use", name: "Bash", input: { command: "echo one" } },
        { type: "tool_use", name: "look", input: { at: "ä🙂" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 100, output_tokens: 20 },
    });
  });
});

describe("OpenAI Responses", () => {
  it("streams a text item from response.created to response.completed, numbered", async () => {
    const events = await stream(responses, "words");
    expect(events.map(({ name }) => name)).toStrictEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ data }) => data.sequence_number)).toStrictEqual(events.map((_, index) => index));
    expect(events.every(({ name, data }) => data.type === name)).toBe(true);
    expect(textOf(events, ({ data }) => data.delta)).toBe("A short text, long enough for two pieces.");
    expect(events.at(-1)?.data.response).toMatchObject({
      object: "response",
      status: "completed",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text" }] }],
      usage: {
        input_tokens: 14,
        input_tokens_details: { cached_tokens: 4 },
        output_tokens: 3,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 17,
      },
    });
  });

  it("streams each call as an item with its arguments", async () => {
    const events = await stream(responses, "both");
    const done = events.filter(({ name }) => name === "response.output_item.done").map(({ data }) => data);
    expect(done).toMatchObject([
      { output_index: 0, item: { type: "message" } },
      { output_index: 1, item: { type: "function_call", name: "Bash", arguments: '{"command":"echo one"}' } },
      { output_index: 2, item: { type: "function_call", name: "look", arguments: '{"at":"ä🙂"}' } },
    ]);
    expect(events.filter(({ name }) => name === "response.function_call_arguments.done")).toHaveLength(2);
    const added = events.filter(({ name }) => name === "response.output_item.added");
    expect(added[1]?.data.item).toMatchObject({ arguments: "", status: "in_progress" });
    expect(events.at(-1)?.data.response.output).toStrictEqual(done.map(({ item }) => item));
  });

  it("names the namespace in which a tool was offered, because Codex requires it", async () => {
    const { url } = await modelServer({ up: [{ delegate: { tasks: [1] } }] });
    const tools = [
      { type: "function", name: "exec_command", parameters: { type: "object" } },
      { type: "web_search" },
      {
        type: "namespace",
        name: "mcp__ambit",
        description: "ours",
        tools: [{ type: "function", name: "delegate", parameters: { type: "object" } }],
      },
    ];
    const answer: Json = await (
      await postJson(`${url}/v1/responses`, { model: "m", tools, input: "@@S:up" })
    ).json();
    expect(answer.output).toMatchObject([
      { type: "function_call", name: "delegate", namespace: "mcp__ambit", arguments: '{"tasks":[1]}' },
    ]);
  });

  it("calls a plain-text tool and the provider's own shell in their own formats", async () => {
    const { url } = await modelServer({
      plain: [{ call: { tool: "apply_patch", arguments: { input: "*** Begin Patch" } } }],
      shell: [{ sh: "ls" }],
    });
    const tools = [{ type: "custom", name: "apply_patch", format: {} }, { type: "local_shell" }];
    const ask = async (input: string, isStream = false) =>
      postJson(`${url}/v1/responses`, { model: "m", tools, input, stream: isStream });
    const events = await eventsOf(await ask("@@S:plain", true));
    expect(events.map(({ name }) => name)).toContain("response.custom_tool_call_input.delta");
    expect(events.at(-1)?.data.response.output).toMatchObject([
      { type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" },
    ]);
    const shell: Json = await (await ask("@@S:shell")).json();
    expect(shell.output).toMatchObject([
      { type: "local_shell_call", action: { type: "exec", command: ["sh", "-c", "ls"] } },
    ]);
  });
});

describe("OpenAI Chat Completions", () => {
  it("streams role, text, reason and usage, and ends with [DONE]", async () => {
    const events = await stream(chat, "words");
    const chunks = events.slice(0, -1).map(({ data }) => data);
    expect(events.at(-1)?.data).toBe("[DONE]");
    expect(events.every(({ name }) => name === undefined)).toBe(true);
    expect(chunks.every(({ object }) => object === "chat.completion.chunk")).toBe(true);
    expect(chunks[0].choices[0].delta).toStrictEqual({ role: "assistant", content: "" });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
      "A short text, long enough for two pieces.",
    );
    expect(chunks.at(-2).choices[0]).toMatchObject({ delta: {}, finish_reason: "stop" });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 14,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens: 3,
        total_tokens: 17,
      },
    });
  });

  it("streams calls as deltas: first the name, then the arguments", async () => {
    const chunks = (await stream(chat, "both")).slice(0, -1).map(({ data }) => data);
    const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const named = deltas.filter((delta) => "id" in delta);
    expect(named).toMatchObject([
      { index: 0, type: "function", function: { name: "Bash", arguments: "" } },
      { index: 1, type: "function", function: { name: "look", arguments: "" } },
    ]);
    const json = (index: number) =>
      deltas.map((delta) => (delta.index === index ? delta.function.arguments : "")).join("");
    expect([json(0), json(1)]).toStrictEqual(['{"command":"echo one"}', '{"at":"ä🙂"}']);
    expect(chunks.at(-2).choices[0].finish_reason).toBe("tool_calls");
  });

  it("reports no usage to a client that did not ask for it", async () => {
    const { url } = await modelServer(SCRIPTS);
    const body = {
      model: "m",
      stream: true,
      tools: [{ type: "function", function: { name: "Bash" } }],
      messages: [{ role: "user", content: "@@S:words" }],
    };
    const text = await (await postJson(`${url}/v1/chat/completions`, body)).text();
    expect(text).toContain("[DONE]");
    expect(text).not.toContain("prompt_tokens");
  });
});

describe("Gemini", () => {
  it("streams chunks with usage, the last one with a reason", async () => {
    const events = await stream(gemini, "words");
    expect(events).toHaveLength(2);
    expect(events.map(({ data }) => data.candidates[0].finishReason)).toStrictEqual([undefined, "STOP"]);
    expect(textOf(events, ({ data }) => data.candidates[0].content.parts[0].text)).toBe(
      "A short text, long enough for two pieces.",
    );
    expect(events.at(-1)?.data).toMatchObject({
      modelVersion: "mock-1",
      usageMetadata: {
        promptTokenCount: 14,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 3,
        totalTokenCount: 17,
      },
    });
  });

  it("puts parallel calls into one chunk", async () => {
    const events = await stream(gemini, "both");
    expect(events.at(-1)?.data.candidates[0].content).toMatchObject({
      role: "model",
      parts: [
        { functionCall: { name: "Bash", args: { command: "echo one" } } },
        { functionCall: { name: "look", args: { at: "ä🙂" } } },
      ],
    });
  });

  it("streams one JSON array to a client that does not ask for events", async () => {
    const { url } = await modelServer(SCRIPTS);
    const body = {
      tools: [{ functionDeclarations: [{ name: "Bash" }] }],
      contents: [{ role: "user", parts: [{ text: "@@S:words" }] }],
    };
    const response = await postJson(`${url}/v1beta/models/mock-1:streamGenerateContent`, body);
    const chunks: Json = await response.json();
    expect(chunks.map(({ candidates }: Json) => candidates[0].finishReason)).toStrictEqual([
      undefined,
      "STOP",
    ]);
  });
});

describe.each(apis)("$name", (api) => {
  it("gives the same content streamed and whole", async () => {
    const whole = api.answer(await document(api, "both"));
    expect(whole).toStrictEqual({
      text: "Now.",
      calls: [
        { name: "Bash", arguments: { command: "echo one" } },
        { name: "look", arguments: { at: "ä🙂" } },
      ],
    });
  });
});

function textOf(events: readonly Event[], pick: (event: Event) => string | undefined): string {
  return events.map((event) => pick(event) ?? "").join("");
}
