import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseScriptFile, startModelServer } from "../../src/testing/index.ts";
import {
  apis,
  modelServer,
  postJson,
  type ApiDriver,
  type Called,
  anthropic,
  type Json,
} from "./ask-model.ts";

const TOOLS = ["Write", "Bash", "mcp__ambit__delegate"];

interface Said {
  readonly text: string;
  readonly calls: readonly Called[];
}

type Talk = readonly (string | { readonly result: string })[];

async function say(api: ApiDriver, url: string, talk: Talk, tools = TOOLS): Promise<Said> {
  return api.answer(await (await api.ask(url, { talk, tools })).json());
}

describe.each(apis)("a script played over $name", (api) => {
  it("advances by one step with every tool result since the prompt", async () => {
    const { url } = await modelServer({
      work: [{ write: { path: "a.txt", text: "one" } }, { sh: "ls" }, { text: "All done." }],
    });
    const prompt = "Do it. @@S:work";
    expect(await say(api, url, [prompt])).toMatchObject({ text: "", calls: [{ name: "Write" }] });
    expect(await say(api, url, [prompt, { result: "written" }])).toMatchObject({
      text: "",
      calls: [{ name: "Bash", arguments: { command: "ls" } }],
    });
    const done = { text: "All done.", calls: [] };
    expect(await say(api, url, [prompt, { result: "written" }, { result: "a.txt" }])).toStrictEqual(done);
  });

  it("waits for all parallel calls before it advances", async () => {
    const { url } = await modelServer({
      two: [{ calls: [{ sh: "a" }, { sh: "b" }] }, { sh: "c" }, { sh: "d" }],
    });
    const results = [{ result: "a" }, { result: "b" }, { result: "c" }];
    expect((await say(api, url, ["@@S:two"])).calls).toHaveLength(2);
    const third = await say(api, url, ["@@S:two", ...results.slice(0, 2)]);
    expect(third.calls).toMatchObject([{ arguments: { command: "c" } }]);
    const fourth = await say(api, url, ["@@S:two", ...results]);
    expect(fourth.calls).toMatchObject([{ arguments: { command: "d" } }]);
  });

  it("restarts with every prompt that has a marker, as after a resume", async () => {
    const { url } = await modelServer({ first: [{ sh: "one" }], second: [{ sh: "two" }] });
    const talk = ["@@S:first", { result: "done" }, "Go on. @@S:second"];
    expect(await say(api, url, talk)).toMatchObject({ calls: [{ arguments: { command: "two" } }] });
  });

  it("uses the first marker of a prompt: later ones are quoted from other tasks", async () => {
    const { url } = await modelServer({ mine: [{ text: "mine" }], other: [{ text: "other" }] });
    const talk = [
      "# Work @@S:mine.\n## Others at work\n- X running: Work @@S:other",
      "<reminder>be good</reminder>",
    ];
    expect((await say(api, url, talk)).text).toBe("mine");
  });

  it("does not read a marker from a tool result", async () => {
    const { url } = await modelServer({ mine: [{ sh: "x" }, { text: "mine" }], other: [{ text: "other" }] });
    expect((await say(api, url, ["@@S:mine", { result: "it says @@S:other" }])).text).toBe("mine");
  });

  it("answers a request without a marker or tools with OK, and records it as a side request", async () => {
    const server = await modelServer({ work: [{ sh: "rm -rf work" }] });
    expect(await say(api, server.url, ["Make a title for: hello"])).toStrictEqual({ text: "OK.", calls: [] });
    expect(await say(api, server.url, ["Make a title for: @@S:work"], [])).toStrictEqual({
      text: "OK.",
      calls: [],
    });
    expect(server.requests().map(({ kind }) => kind)).toStrictEqual(["side", "side"]);
  });

  it("answers a request to compact the session with OK, even after a marked prompt", async () => {
    const server = await modelServer({ work: [{ sh: "x" }] });
    const talk = ["@@S:work", { result: "y" }, "You are performing a CONTEXT CHECKPOINT COMPACTION. Create…"];
    expect((await say(api, server.url, talk)).text).toBe("OK.");
  });

  it("lists the scripts if the prompt asks for an unknown one", async () => {
    const server = await modelServer({ work: [], rest: [] });
    const problem = "No script is called wrok; there are: work, rest.";
    expect((await say(api, server.url, ["@@S:wrok"])).text).toBe(problem);
    expect(server.requests()).toMatchObject([{ kind: "scripted", script: "wrok", problem }]);
  });

  it("ends with a message when the script has no more steps", async () => {
    const { url } = await modelServer({ one: [{ sh: "x" }] });
    expect((await say(api, url, ["@@S:one", { result: "" }])).text).toBe("Done.");
  });

  it("records what the model was offered, called and told", async () => {
    const server = await modelServer({ work: [{ delegate: { tasks: [] } }, { text: "ok" }] });
    await say(api, server.url, ["@@S:work"]);
    await say(api, server.url, ["@@S:work", { result: "ticket 7" }]);
    expect(server.requests()).toMatchObject([
      { index: 0, api: api.name, model: "mock-1", tools: TOOLS, step: 0, calls: ["mcp__ambit__delegate"] },
      { index: 1, step: 1, calls: [], text: "ok", lastResult: "ticket 7" },
    ]);
  });
});

describe("a script in turns", () => {
  const api = anthropic;
  const turns = {
    parked: {
      turns: [
        { when: "was not accepted", steps: [{ text: "repaired" }] },
        { steps: [{ text: "first" }] },
        { steps: [{ text: "later" }] },
      ],
    },
  };

  it("plays the first turn whose words occur in the prompt", async () => {
    const { url } = await modelServer(turns);
    expect((await say(api, url, ["@@S:parked\nYour last return was not accepted:"])).text).toBe("repaired");
  });

  it("otherwise plays one turn per prompt of the session, and repeats the last one", async () => {
    const { url } = await modelServer(turns);
    const prompts = (count: number): Talk => Array.from({ length: count }, () => "@@S:parked");
    expect((await say(api, url, prompts(1))).text).toBe("first");
    expect((await say(api, url, prompts(2))).text).toBe("later");
    expect((await say(api, url, prompts(4))).text).toBe("later");
  });

  it("plays without tools only if it says so", async () => {
    const { url } = await modelServer({
      chatty: { turns: [{ steps: [{ text: "hello" }] }], withoutTools: true },
      quiet: { turns: [{ steps: [{ text: "hello" }] }] },
    });
    expect((await say(api, url, ["@@S:chatty"], [])).text).toBe("hello");
    expect((await say(api, url, ["@@S:quiet"], [])).text).toBe("OK.");
  });
});

describe("the answered requests besides the conversation", () => {
  it("include a token count, for both providers that have one", async () => {
    const server = await modelServer({});
    const anthropic: Json = await (
      await postJson(`${server.url}/v1/messages/count_tokens`, { messages: [] })
    ).json();
    const gemini: Json = await (
      await postJson(`${server.url}/v1beta/models/m:countTokens`, { contents: [] })
    ).json();
    expect(anthropic.input_tokens).toBeGreaterThan(0);
    expect(gemini.totalTokens).toBeGreaterThan(0);
    expect(server.requests().map(({ kind }) => kind)).toStrictEqual(["count", "count"]);
  });

  it("include the list of models", async () => {
    const { url } = await modelServer({});
    const list: Json = await (await fetch(`${url}/v1/models?client_version=1`)).json();
    expect(list).toMatchObject({ object: "list", data: [{ id: "mock-1", type: "model" }, { id: "mock-2" }] });
    const gemini: Json = await (await fetch(`${url}/v1beta/models`)).json();
    expect(gemini.models[0].name).toBe("models/mock-1");
  });

  it("include a request for an answer in a given format", async () => {
    const { url } = await modelServer({});
    const body = {
      contents: [{ role: "user", parts: [{ text: "Who speaks next?" }] }],
      generationConfig: {
        responseMimeType: "application/json",
        responseSchema: {
          type: "OBJECT",
          properties: {
            reasoning: { type: "STRING" },
            next_speaker: { type: "STRING", enum: ["user", "model"] },
            other: { type: "NUMBER" },
          },
          required: ["reasoning", "next_speaker"],
        },
      },
    };
    const answer: Json = await (await postJson(`${url}/v1beta/models/m:generateContent`, body)).json();
    expect(JSON.parse(answer.candidates[0].content.parts[0].text)).toStrictEqual({
      reasoning: "scripted",
      next_speaker: "user",
    });
  });

  it("include a health check, and no unknown request", async () => {
    const server = await modelServer({});
    expect((await fetch(server.url, { method: "HEAD" })).status).toBe(200);
    expect((await postJson(`${server.url}/v1/embeddings`, {})).status).toBe(404);
    expect((await fetch(`${server.url}/v1/organizations`)).status).toBe(404);
    expect(server.requests().map(({ kind }) => kind)).toStrictEqual(["hello", "unknown", "unknown"]);
  });
});

describe("any request at all", () => {
  it("is answered, never with a crash", async () => {
    const { url } = await modelServer({ work: [{ sh: "x" }] });
    const paths = [
      "/v1/messages",
      "/v1/responses",
      "/v1/chat/completions",
      "/v1beta/models/m:streamGenerateContent?alt=sse",
    ];
    const key = fc.constantFrom(
      "messages",
      "input",
      "contents",
      "tools",
      "role",
      "content",
      "parts",
      "type",
      "text",
    );
    const body = fc.object({
      key,
      maxDepth: 4,
      values: [fc.constantFrom("user", "@@S:work", null, 1, "tool_result")],
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, value) => {
        const response = await postJson(url + path, value);
        await response.text();
        expect(response.status).toBe(200);
      }),
      { numRuns: 150 },
    );
  });

  it("is refused with a reason if it is not JSON or oddly compressed", async () => {
    const server = await modelServer({});
    const post = (body: string | Buffer, encoding?: string) =>
      fetch(`${server.url}/v1/messages`, {
        method: "POST",
        body,
        ...(encoding === undefined ? {} : { headers: { "content-encoding": encoding } }),
      });
    expect((await post("{")).status).toBe(400);
    expect((await post("x", "zstd")).status).toBe(415);
    expect((await post("x", "gzip")).status).toBe(400);
    expect((await post(gzipSync('{"messages":[]}'), "gzip")).status).toBe(200);
    expect(server.requests().map(({ kind }) => kind)).toStrictEqual([
      "refused",
      "refused",
      "refused",
      "side",
    ]);
  });
});

describe("the record of requests", () => {
  const api = anthropic;

  it("is also written as lines in a private file, without the request bodies", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-model-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const log = join(folder, "requests.jsonl");
    const server = await modelServer({ work: [{ sh: "x" }] }, { log, keepBodies: true });
    await say(api, server.url, ["secret words @@S:work"]);
    const [line] = readFileSync(log, "utf8")
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(line).toMatchObject({ index: 0, script: "work", calls: ["Bash"] });
    expect(JSON.stringify(line)).not.toContain("secret words");
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(server.requests()[0]?.body)).toContain("secret words");
  });

  it("keeps request bodies only if told to", async () => {
    const server = await modelServer({ work: [{ sh: "x" }] });
    await say(api, server.url, ["@@S:work"]);
    expect(server.requests()[0]).not.toHaveProperty("body");
  });
});

describe("a model server that starts", () => {
  it("refuses scripts that make no sense, and says where they do not", async () => {
    const start = (scripts: Json) => startModelServer({ scripts });
    await expect(start({ work: [{ wirte: {} }] })).rejects.toThrow('  work[0]: Unrecognized key: "wirte"');
    await expect(start({ work: { turns: [{ steps: [{ text: 1 }] }] } })).rejects.toThrow(
      "  work.turns[0].steps[0].text: Invalid input: expected string",
    );
    await expect(start({ work: 7 })).rejects.toThrow("  work: ");
    await expect(start({ work: [{}] })).rejects.toThrow(/a step must not be empty/);
    await expect(start({ work: [{ sh: "x", return: {} }] })).rejects.toThrow(/step of its own/);
    await expect(start({ "two words": [] })).rejects.toMatchObject({ code: "INPUT_UNREADABLE" });
  });

  it("reads scripts from their field of a file, and refuses a file without it", () => {
    expect(parseScriptFile({ scripts: { a: [{ text: "x" }] } })).toStrictEqual({ a: [{ text: "x" }] });
    expect(() => parseScriptFile({ a: [{ text: "x" }] })).toThrow(/scripts/);
  });

  it("reports a port that is in use", async () => {
    const { url } = await modelServer({});
    const port = Number(new URL(url).port);
    await expect(startModelServer({ scripts: {}, port })).rejects.toMatchObject({ code: "NO_FREE_PORTS" });
  });
});
