import { once } from "node:events";
import { createConnection } from "node:net";
import { describe, expect, it } from "vitest";
import { apis, modelServer, anthropic, type Json } from "./ask-model.ts";

const TOOLS = ["Bash"];

describe.each(apis)("a failure over $name", (api) => {
  it("has the provider's format, and says when to retry", async () => {
    const { url } = await modelServer({
      busy: [{ error: { status: 429, message: "slow down", retryAfterSeconds: 7 } }],
    });
    const response = await api.ask(url, { talk: ["@@S:busy"], tools: TOOLS, stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    const body: Json = await response.json();
    expect(body).toMatchObject(
      {
        anthropic: { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
        responses: { error: { type: "rate_limit_error", code: "rate_limit_exceeded", message: "slow down" } },
        chat: { error: { type: "rate_limit_error", code: "rate_limit_exceeded", message: "slow down" } },
        gemini: {
          error: { code: 429, status: "RESOURCE_EXHAUSTED", details: [{ retryDelay: "7s" }] },
        },
      }[api.name],
    );
  });

  it.each([401, 500])("stays (%i) if it has no count", async (status) => {
    const { url } = await modelServer({ broken: [{ error: { status } }] });
    for (let round = 0; round < 3; round += 1)
      expect((await api.ask(url, { talk: ["@@S:broken"], tools: TOOLS })).status).toBe(status);
  });

  it("passes after the given number of times, counted per conversation", async () => {
    const { url } = await modelServer({
      flaky: [{ sh: "x" }, { error: { status: 500, times: 2 } }, { text: "recovered" }],
    });
    const ask = async (prompt: string) => {
      const response = await api.ask(url, { talk: [`${prompt} @@S:flaky`, { result: "y" }], tools: TOOLS });
      return response.ok ? api.answer(await response.json()).text : response.status;
    };
    expect(await ask("one")).toBe(500);
    expect(await ask("two")).toBe(500);
    expect(await ask("one")).toBe(500);
    expect(await ask("one")).toBe("recovered");
    expect(await ask("two")).toBe(500);
    expect(await ask("two")).toBe("recovered");
  });

  it("breaks the stream in the middle, and continues the next time", async () => {
    const { url } = await modelServer({
      torn: [{ text: "a text in several pieces, so that it can be torn", cut: { times: 1 } }],
    });
    const ask = () => api.ask(url, { talk: ["@@S:torn"], tools: TOOLS, stream: true });
    const response = await ask();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
    expect(await (await ask()).text()).toContain("torn");
  });

  it("breaks a whole answer, too", async () => {
    const { url } = await modelServer({ torn: [{ text: "never whole", cut: {} }] });
    const response = await api.ask(url, { talk: ["@@S:torn"], tools: TOOLS });
    await expect(response.text()).rejects.toThrow("terminated");
  });
});

describe("a delay", () => {
  const api = anthropic;

  it("delays the answer by that time", async () => {
    const { url } = await modelServer({ slow: [{ text: "late", delayMs: 60 }] });
    const start = performance.now();
    await (await api.ask(url, { talk: ["@@S:slow"], tools: TOOLS })).text();
    expect(performance.now() - start).toBeGreaterThanOrEqual(55);
  });

  it("does not prevent the server from closing", async () => {
    const server = await modelServer({ never: [{ text: "late", delayMs: 86_400_000 }] });
    const answer = api.ask(server.url, { talk: ["@@S:never"], tools: TOOLS });
    const failed = expect(answer).rejects.toThrow("fetch failed");
    while (server.requests().length === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await failed;
  });
});

it("the model server listens on 127.0.0.1 only", async () => {
  const { url } = await modelServer({});
  const { port } = new URL(url);
  const socket = createConnection({ host: "127.0.0.2", port: Number(port) });
  const [error] = await once(socket, "error").catch((reason: unknown) => [reason]);
  expect(String(error)).toContain("ECONNREFUSED");
});
