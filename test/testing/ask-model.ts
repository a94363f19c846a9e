import { onTestFinished } from "vitest";
import { startModelServer, type ModelServer, type ModelServerOptions } from "../../src/testing/index.ts";

/** A model server that closes with the test. */
export async function modelServer(
  scripts: ModelServerOptions["scripts"],
  options: Omit<ModelServerOptions, "scripts"> = {},
): Promise<ModelServer> {
  const server = await startModelServer({ scripts, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** What a test looks into without saying beforehand what it expects. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Event {
  readonly name: string | undefined;
  readonly data: Json;
}

export async function postJson(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** The events of a stream, data parsed; `[DONE]` stays text. */
export async function eventsOf(response: Response): Promise<readonly Event[]> {
  const blocks = (await response.text()).split("\n\n").filter((block) => block !== "");
  return blocks.map((block) => {
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      }),
    );
    const data = fields.get("data") ?? "";
    return { name: fields.get("event"), data: data === "[DONE]" ? data : JSON.parse(data) };
  });
}

/** One conversation in the words of one API, so that a test can be run over all four. */
export interface ApiDriver {
  readonly name: "anthropic" | "responses" | "chat" | "gemini";
  /** `talk`: prompts as text, tool results as `{result}`. */
  readonly ask: (
    url: string,
    request: {
      readonly talk: readonly (string | { readonly result: string })[];
      readonly tools?: readonly string[];
      readonly stream?: boolean;
    },
  ) => Promise<Response>;
  /** Text and calls of a whole, not streamed answer. */
  readonly answer: (document: Json) => { readonly text: string; readonly calls: readonly Called[] };
  readonly usage: (document: Json) => unknown;
}

export interface Called {
  readonly name: string;
  readonly arguments: Json;
}

const anySchema = { type: "object", properties: {} };

export const anthropic: ApiDriver = {
  name: "anthropic",
  ask: (url, { talk, tools = [], stream = false }) =>
    postJson(`${url}/v1/messages`, {
      model: "mock-1",
      stream,
      max_tokens: 1000,
      system: "You are a scripted worker.",
      tools: tools.map((name) => ({ name, input_schema: anySchema })),
      messages: talk.map((item, index) =>
        typeof item === "string"
          ? { role: "user", content: [{ type: "text", text: item }] }
          : {
              role: "user",
              content: [{ type: "tool_result", tool_use_id: `toolu_${index}`, content: item.result }],
            },
      ),
    }),
  answer: ({ content }) => ({
    text: content
      .filter(({ type }: Json) => type === "text")
      .map(({ text }: Json) => text)
      .join(""),
    calls: content
      .filter(({ type }: Json) => type === "tool_use")
      .map(({ name, input }: Json) => ({ name, arguments: input })),
  }),
  usage: ({ usage }) => usage,
};

export const responses: ApiDriver = {
  name: "responses",
  ask: (url, { talk, tools = [], stream = false }) =>
    postJson(`${url}/v1/responses`, {
      model: "mock-1",
      stream,
      tools: tools.map((name) => ({ type: "function", name, parameters: anySchema })),
      input: talk.map((item, index) =>
        typeof item === "string"
          ? { type: "message", role: "user", content: [{ type: "input_text", text: item }] }
          : { type: "function_call_output", call_id: `call_${index}`, output: item.result },
      ),
    }),
  answer: ({ output }) => ({
    text: output
      .filter(({ type }: Json) => type === "message")
      .map(({ content }: Json) => content[0].text)
      .join(""),
    calls: output
      .filter(({ type }: Json) => type === "function_call")
      .map((call: Json) => ({ name: call.name, arguments: JSON.parse(call.arguments) })),
  }),
  usage: ({ usage }) => usage,
};

export const chat: ApiDriver = {
  name: "chat",
  ask: (url, { talk, tools = [], stream = false }) =>
    postJson(`${url}/v1/chat/completions`, {
      model: "mock-1",
      stream,
      stream_options: { include_usage: true },
      tools: tools.map((name) => ({ type: "function", function: { name, parameters: anySchema } })),
      messages: [
        { role: "system", content: "You are a scripted worker." },
        ...talk.map((item, index) =>
          typeof item === "string"
            ? { role: "user", content: item }
            : { role: "tool", tool_call_id: `call_${index}`, content: item.result },
        ),
      ],
    }),
  answer: ({ choices: [{ message }] }) => ({
    text: message.content ?? "",
    calls: (message.tool_calls ?? []).map((call: Json) => ({
      name: call.function.name,
      arguments: JSON.parse(call.function.arguments),
    })),
  }),
  usage: ({ usage }) => usage,
};

export const gemini: ApiDriver = {
  name: "gemini",
  ask: (url, { talk, tools = [], stream = false }) =>
    postJson(`${url}/v1beta/models/mock-1:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`, {
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: anySchema })) }],
      contents: talk.map((item) =>
        typeof item === "string"
          ? { role: "user", parts: [{ text: item }] }
          : {
              role: "user",
              parts: [{ functionResponse: { name: "any", response: { output: item.result } } }],
            },
      ),
    }),
  answer: ({ candidates: [{ content }] }) => ({
    text: content.parts.map(({ text }: Json) => text ?? "").join(""),
    calls: content.parts
      .filter(({ functionCall }: Json) => functionCall !== undefined)
      .map(({ functionCall }: Json) => ({ name: functionCall.name, arguments: functionCall.args })),
  }),
  usage: ({ usageMetadata }) => usageMetadata,
};

export const apis: readonly ApiDriver[] = [anthropic, responses, chat, gemini];
