import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createConnection } from "node:net";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { RateGate } from "../../../src/scheduler/rate-gate.ts";
import { startMeteringProxy, type MeteringProxyOptions } from "../../../src/agents/metering-proxy.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { totalTokens } from "../../../src/contract/usage.ts";
import { anthropic, apis, chat, modelServer } from "../../testing/ask-model.ts";
import { meter, provider, until, type Meter } from "./provider.ts";

const STEP = { text: "An answer of the model.", usage: { input: 1000, cached: 200, output: 50 } };
const TOOLS = ["Bash"];
const ASK = { talk: ["@@S:work"], tools: TOOLS };

const BUDGET = 2000;

async function meterWithBudget(
  upstream: string,
  options: Partial<MeteringProxyOptions> = {},
): Promise<Meter> {
  const metered: Meter = await meter(upstream, { ...options, mayGo: () => spent() < BUDGET });
  const spent = () => metered.used().reduce((sum, usage) => sum + totalTokens(usage), 0);
  return metered;
}

describe.each(apis)("metering $name", (api) => {
  it.each([true, false])("reads the usage from the answer in passing (streamed: %s)", async (stream) => {
    const model = await modelServer({ work: [STEP] });
    const { url, reports, used } = await meter(model.url);
    const answer = await (await api.ask(url, { ...ASK, stream })).text();
    expect(answer).toContain("model.");
    await until(() => reports.at(-1)?.usage.outputTokens === 50);
    expect(used()).toStrictEqual([
      { model: "mock-1", inputTokens: 1000, cachedTokens: 200, outputTokens: 50, microUsd: null },
    ]);
    expect(new Set(reports.map(({ scope }) => scope))).toStrictEqual(new Set(["step"]));
  });

  it("refuses the next request in the provider's format once the budget is spent", async () => {
    const model = await modelServer({ work: [STEP] });
    const { url } = await meterWithBudget(model.url);
    const statuses: number[] = [];
    let body = "";
    for (let round = 0; round < 5; round += 1) {
      const response = await api.ask(url, { ...ASK, stream: true });
      statuses.push(response.status);
      body = await response.text();
    }
    // Each request uses 1250 tokens, so the second overdraws the budget; more is not possible.
    expect(statuses).toStrictEqual([200, 200, 402, 402, 402]);
    expect(model.requests()).toHaveLength(2);
    expect(JSON.parse(body)).toMatchObject(
      {
        anthropic: { type: "error", error: { type: "billing_error" } },
        responses: { error: { type: "insufficient_quota" } },
        chat: { error: { type: "insufficient_quota" } },
        gemini: { error: { code: 402, status: "FAILED_PRECONDITION" } },
      }[api.name],
    );
  });

  it("control: without the proxy nothing stops the same client", async () => {
    const model = await modelServer({ work: [STEP] });
    for (let round = 0; round < 5; round += 1) await (await api.ask(model.url, ASK)).text();
    const used = model.requests().length * 1250;
    expect(used).toBeGreaterThan(BUDGET + 1250);
  });
});

describe("a budget and many simultaneous requests", () => {
  const MANY = 12;
  const race = async (url: string): Promise<void> => {
    const answers = await Promise.all(Array.from({ length: MANY }, () => anthropic.ask(url, ASK)));
    await Promise.all(answers.map((answer) => answer.text()));
  };

  it("is overdrawn by one request at most", async () => {
    const model = await modelServer({ work: [STEP] });
    await race((await meterWithBudget(model.url)).url);
    expect(model.requests()).toHaveLength(2);
  });

  it("control: without one request at a time, all of them overdraw it", async () => {
    const held: ServerResponse[] = [];
    const upstream = await provider((_, response) => {
      held.push(response);
      const answer = JSON.stringify({ type: "message", usage: { input_tokens: 1200, output_tokens: 50 } });
      if (held.length === MANY) for (const waiting of held) waiting.end(answer);
    });
    await race((await meterWithBudget(upstream.url, { atOnce: MANY })).url);
    expect(upstream.seen).toHaveLength(MANY);
  });
});

describe("traffic", () => {
  const pieces = [
    Buffer.from([0, 255, 10]),
    Buffer.from('data: {"x"'),
    Buffer.from(": 1}\r\n\n\u00e9"),
    Buffer.alloc(70_000, 7),
  ];

  it("passes unchanged, byte by byte, with status and headers", async () => {
    const { url: upstream } = await provider((_, response) => {
      response.writeHead(
        207,
        "Odd",
        [
          ["x-one", "1"],
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ].flat(),
      );
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    const { url } = await meter(upstream);
    const response = await fetch(`${url}/v1/messages`, { method: "POST", body: "{}" });
    expect(response.status).toBe(207);
    expect(response.statusText).toBe("Odd");
    expect(response.headers.get("x-one")).toBe("1");
    expect(response.headers.getSetCookie()).toStrictEqual(["a=1", "b=2"]);
    expect(Buffer.from(await response.arrayBuffer())).toStrictEqual(Buffer.concat(pieces));
  });

  it("passes piece by piece, not at the end", async () => {
    let finish: () => void = () => undefined;
    const { url: upstream } = await provider((_, response) => {
      response.write("first");
      finish = () => response.end("second");
    });
    const { url } = await meter(upstream);
    const response = await fetch(`${url}/v1/responses`, { method: "POST", body: "{}" });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("second");
  });

  it("reaches the provider as sent: method, path, query, key and body", async () => {
    let body = "";
    const { url: upstream, seen } = await provider((message, response) => {
      message.on("data", (bytes: Buffer) => (body += bytes.toString()));
      message.on("end", () => response.end("{}"));
    });
    const { url } = await meter(`${upstream}/base/`);
    await fetch(`${url}/v1/x%20y/../messages?beta=true`, {
      method: "POST",
      headers: { authorization: "Bearer key", "x-api-key": "key", te: "trailers" },
      body: "the body",
    });
    const headers = seen[0]?.headers;
    expect([seen[0]?.method, seen[0]?.url]).toStrictEqual(["POST", "/base/v1/messages?beta=true"]);
    expect(body).toBe("the body");
    expect(headers).toMatchObject({
      host: new URL(upstream).host,
      authorization: "Bearer key",
      "x-api-key": "key",
      "accept-encoding": "identity",
    });
    expect(headers?.te).toBeUndefined();
  });

  it("is metered and stays unchanged even if the provider compresses it against our request", async () => {
    const usage = { prompt_tokens: 30, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 10 } };
    const packed = gzipSync(JSON.stringify({ object: "chat.completion", model: "m", choices: [], usage }));
    const { url: upstream } = await provider((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(packed);
    });
    const { url, used } = await meter(upstream);
    const response = await chat.ask(url, ASK);
    expect(JSON.parse(await response.text()).usage).toStrictEqual(usage);
    await until(() => used().length > 0);
    expect(used()).toMatchObject([{ inputTokens: 20, cachedTokens: 10, outputTokens: 7 }]);
  });

  it("that costs nothing is neither delayed nor counted", async () => {
    const model = await modelServer({});
    const { url, reports } = await meter(model.url, { mayGo: () => false });
    expect((await fetch(`${url}/v1/models`)).status).toBe(200);
    const count = await fetch(`${url}/v1/messages/count_tokens?beta=true`, { method: "POST", body: "{}" });
    expect(count.status).toBe(200);
    expect(reports).toStrictEqual([]);
  });
});

it("holds a request back until the usage of the one before it is booked", async () => {
  const model = await modelServer({ work: [STEP] });
  let asked = 0;
  const decision = new AbortController();
  const booked = once(decision.signal, "abort").then(() => false);
  const { url } = await meter(model.url, { mayGo: () => (asked++ === 0 ? true : booked) });
  await (await chat.ask(url, ASK)).text();
  const second = chat.ask(url, ASK);
  await until(() => asked === 2);
  expect(model.requests()).toHaveLength(1);
  decision.abort();
  expect((await second).status).toBe(402);
  expect(model.requests()).toHaveLength(1);
});

describe("usage that the provider does not report", () => {
  it("is estimated from the request and the answer, and marked", async () => {
    const model = await modelServer({ work: [{ ...STEP, text: "x".repeat(400) }] });
    const { url, used } = await meter(model.url);
    const body = {
      model: "mock-1",
      stream: true,
      tools: [{ type: "function", function: { name: "Bash" } }],
      messages: [{ role: "user", content: `@@S:work ${"y".repeat(4000)}` }],
    };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      body: JSON.stringify(body),
    });
    expect(await response.text()).not.toContain("prompt_tokens");
    await until(() => used().length > 0);
    const [estimate] = used();
    expect(estimate?.source).toBe("estimated");
    expect(estimate?.outputTokens).toBe(100);
    expect(estimate?.inputTokens).toBeGreaterThan(1000);
  });

  it("is estimated for an answer that breaks off, because its text was charged", async () => {
    const text = "z".repeat(2000);
    const model = await modelServer({ work: [{ ...STEP, text, cut: { afterEvents: 80 } }] });
    const { url, used } = await meter(model.url);
    const response = await anthropic.ask(url, { ...ASK, stream: true });
    await expect(response.text()).rejects.toThrow("terminated");
    await until(() => used()[0]?.source === "estimated");
    expect(used()).toMatchObject([{ inputTokens: 1000, cachedTokens: 200 }]);
    expect(used()[0]?.outputTokens).toBeGreaterThan(400);
  });

  it("is zero if the provider refused", async () => {
    const model = await modelServer({ work: [{ error: { status: 500 } }] });
    const { url, reports } = await meter(model.url);
    expect((await anthropic.ask(url, ASK)).status).toBe(500);
    expect(reports).toStrictEqual([]);
  });

  it("stops all requests if it cannot be recorded", async () => {
    const model = await modelServer({ work: [STEP] });
    const proxy = await startMeteringProxy({
      upstream: model.url,
      mayGo: () => true,
      onUsage: () => {
        throw new Error("disk full");
      },
    });
    const first = await anthropic.ask(proxy.url, ASK);
    expect([first.status, await first.text()]).toStrictEqual([200, expect.stringContaining("An answer")]);
    expect((await anthropic.ask(proxy.url, ASK)).status).toBe(402);
    await proxy.close();
  });
});

describe("a disconnect", () => {
  it("of the client ends the request to the provider", async () => {
    let isClosed = false;
    const { url: upstream } = await provider((_, response) => {
      response.write("data: 1\n\n");
      response.on("close", () => (isClosed = true));
    });
    const { url } = await meter(upstream);
    const controller = new AbortController();
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      body: "{}",
      signal: controller.signal,
    });
    controller.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    await until(() => isClosed);
  });

  it("of the client before any answer frees its place for the next request", async () => {
    const { url: upstream, seen } = await provider((message, response) => {
      if (message.headers["x-second"] !== undefined) response.end("{}");
    });
    const { url } = await meter(upstream);
    const controller = new AbortController();
    const post = (init: RequestInit) => fetch(`${url}/v1/messages`, { method: "POST", body: "{}", ...init });
    const first = expect(post({ signal: controller.signal })).rejects.toThrow("aborted");
    await until(() => seen.length === 1);
    const waiting = new AbortController();
    const impatient = expect(post({ signal: waiting.signal })).rejects.toThrow("aborted");
    const second = post({ headers: { "x-second": "1" } });
    waiting.abort();
    controller.abort();
    await Promise.all([first, impatient]);
    expect((await second).status).toBe(200);
    expect(seen).toHaveLength(2);
  });

  it("of the provider during an answer ends the answer for the client", async () => {
    const { url: upstream } = await provider((_, response) => {
      response.write("data: 1\n\n", () => response.socket?.destroy());
    });
    const { url } = await meter(upstream);
    const response = await fetch(`${url}/v1/messages`, { method: "POST", body: "{}" });
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it("of the provider before any answer is reported in the provider's format", async () => {
    const { url: upstream } = await provider((_, response) => void response.socket?.destroy());
    const { url } = await meter(upstream);
    const response = await anthropic.ask(url, ASK);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "api_error" } });
  });

  it("is assumed if a provider stays silent for too long", async () => {
    const { url: upstream } = await provider(() => undefined);
    const { url } = await meter(upstream, { idleTimeoutMs: 30 });
    const response = await chat.ask(url, ASK);
    expect(response.status).toBe(504);
    expect(await response.text()).toContain("nothing came for 30 ms");
  });

  it("of the proxy leaves no connection behind", async () => {
    const { url: upstream, seen } = await provider(() => undefined);
    const proxy = await startMeteringProxy({ upstream, mayGo: () => true, onUsage: () => undefined });
    const request = expect(anthropic.ask(proxy.url, ASK)).rejects.toThrow("fetch failed");
    await until(() => seen.length === 1);
    const closed = new Promise((resolve) => seen[0]?.socket.once("close", resolve));
    await proxy.close();
    await request;
    await closed;
  });
});

describe("a stranger on the same machine", () => {
  it("gets nothing without the secret in the path, and the provider sees no request", async () => {
    const { url: upstream, seen } = await provider((_, response) => response.end("{}"));
    const { url } = await meter(upstream);
    const { origin, pathname } = new URL(url);
    expect(pathname).toMatch(/^\/[0-9a-z]{32}$/);
    const guesses = [
      "/v1/messages",
      `${pathname}x/v1/messages`,
      `${pathname.slice(0, -1)}/v1/messages`,
      "/",
      "//",
    ];
    for (const guess of guesses)
      expect((await fetch(origin + guess, { method: "POST", body: "{}" })).status).toBe(404);
    expect(seen).toHaveLength(0);
    expect((await fetch(`${url}/v1/messages`, { method: "POST", body: "{}" })).status).toBe(200);
  });

  it("cannot make the proxy contact another server", async () => {
    const { url: upstream, seen } = await provider((_, response) => response.end("{}"));
    const { url } = await meter(upstream);
    const { port, pathname } = new URL(url);
    const socket = createConnection({ host: "127.0.0.1", port: Number(port) });
    socket.end(
      `POST ${pathname}//example.com/v1/messages HTTP/1.1\r\nhost: example.com\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));
    expect(seen.map(({ url: path, headers }) => [path, headers.host])).toStrictEqual([
      ["//example.com/v1/messages", new URL(upstream).host],
    ]);
  });

  it("cannot reach the proxy from another machine", async () => {
    const { url } = await meter("http://127.0.0.1:9");
    const socket = createConnection({ host: "127.0.0.2", port: Number(new URL(url).port) });
    const error = await new Promise((resolve) => socket.once("error", resolve));
    expect(String(error)).toContain("ECONNREFUSED");
  });
});

describe("a shared account", () => {
  const shared = () => {
    const gate = new RateGate(() => 0);
    return {
      gate,
      rateGate: {
        closedUntil: (nowMs: number) => gate.closedUntil("p", nowMs),
        close: (refusal: { nowMs: number; retryAfterMs?: number | undefined }) =>
          void gate.closeGate("p", refusal),
        answered: (nowMs: number) => gate.markAnswered("p", nowMs),
      },
    };
  };

  it("is closed for all its users by one refusal of the provider", async () => {
    const model = await modelServer({ work: [{ error: { status: 429, retryAfterSeconds: 300 } }] });
    const { rateGate } = shared();
    const one = await meter(model.url, { rateGate });
    const other = await meter(model.url, { rateGate });
    expect((await anthropic.ask(one.url, ASK)).status).toBe(429);
    const held = await anthropic.ask(other.url, ASK);
    expect(held.status).toBe(429);
    expect(Number(held.headers.get("retry-after"))).toBeGreaterThan(290);
    expect(model.requests()).toHaveLength(1);
  });

  it("control: without the gate each of them asks", async () => {
    const model = await modelServer({ work: [{ error: { status: 429, retryAfterSeconds: 300 } }] });
    for (const { url } of [await meter(model.url), await meter(model.url)])
      expect((await anthropic.ask(url, ASK)).status).toBe(429);
    expect(model.requests()).toHaveLength(2);
  });

  it("delays a request briefly instead of refusing it", async () => {
    const model = await modelServer({ work: [STEP] });
    const { gate, rateGate } = shared();
    const nowMs = systemClock.monotonicMs();
    gate.closeGate("p", { nowMs, retryAfterMs: 80 });
    const { url } = await meter(model.url, { rateGate });
    expect((await anthropic.ask(url, ASK)).status).toBe(200);
    expect(systemClock.monotonicMs() - nowMs).toBeGreaterThanOrEqual(80);
  });
});

it("refuses an invalid address", async () => {
  const start = startMeteringProxy({ upstream: "api.example", mayGo: () => true, onUsage: () => undefined });
  await expect(start).rejects.toMatchObject({ code: "CONFIG_INVALID" });
});
