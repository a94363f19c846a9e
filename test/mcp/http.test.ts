import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect } from "vitest";
import { it } from "../orchestrator/open-runtime.ts";
import { done, write } from "../orchestrator/steps.ts";
import { program, readResult } from "./connect.ts";
import { holdManager } from "./held-worker.ts";

interface Serving {
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<unknown>;
}

/** Starts the server and reads what it prints: the address, and a token unless one was given. */
async function serve(
  environment: Readonly<Record<string, string>>,
  onTestFinished: (action: () => Promise<void>) => void,
): Promise<Serving> {
  const child = spawn(process.execPath, [...program, "--http"], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = (): Promise<unknown> => {
    child.kill("SIGTERM");
    return exited;
  };
  onTestFinished(async () => void (await stop()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const url = String((await lines.next()).value);
  const given = environment["AMBIT_MCP_TOKEN"];
  const token = given ?? String((await lines.next()).value).replace("token ", "");
  return { url, token, stop };
}

const nobody = { AMBIT_TOKEN: "nobody", AMBIT_SOCKET: "/none" };

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** Any header, Host included, which fetch would not let one set. */
async function ask({ url, headers, method = "POST" }: Asked): Promise<number | undefined> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const sent = request(url, {
    method,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
  sent.end(method === "POST" ? body : undefined);
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
}

describe.concurrent("the MCP server over HTTP", () => {
  it("serves the same tools to current, newest and older clients", async ({ open, onTestFinished }) => {
    const runtime = await open();
    runtime.agent("helper", [write("helped.txt", "x"), done("Helped. Done.")]);
    const held = await holdManager(runtime, "H1", { after: [done()] });
    const { url, token } = await serve(held.environment, onTestFinished);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const info = { name: "test", version: "1" };
    const newest = new Client(info, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    const current = new Client(info);
    const old = new OldClient(info);
    await newest.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    await current.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    await old.connect(new OldTransport(new URL(url), { requestInit }));
    for (const client of [newest, current, old]) {
      expect((await client.listTools()).tools).toHaveLength(10);
      const input = { tasks: [{ description: "Help", agent: "helper" }] };
      const answer = readResult(await client.callTool({ name: "delegate", arguments: input }));
      expect(answer.value).toMatchObject({ done: true, tasks: [{ result: { success: true } }] });
      await client.close();
    }
    expect((await held.release()).workers).toBe(3);
  });

  it("refuses a missing or wrong token, a wrong host name and a foreign origin", async ({
    onTestFinished,
  }) => {
    const secret = "a-secret-of-the-test";
    const { url } = await serve({ ...nobody, AMBIT_MCP_TOKEN: secret }, onTestFinished);
    const right = { authorization: `Bearer ${secret}` };
    expect(await ask({ url, headers: right })).toBe(200);
    expect(await ask({ url, headers: {} })).toBe(401);
    for (const authorization of [
      "Bearer ",
      `Bearer ${secret}x`,
      `Bearer ${secret.slice(1)}`,
      secret,
      "Basic eA==",
    ])
      expect(await ask({ url, headers: { authorization } })).toBe(401);
    expect(await ask({ url, headers: { ...right, host: "evil.example" } })).toBe(403);
    expect(await ask({ url, headers: { ...right, host: "evil.example:80" } })).toBe(403);
    expect(await ask({ url, headers: { ...right, origin: "https://evil.example" } })).toBe(403);
    expect(await ask({ url, headers: { ...right, origin: "null" } })).toBe(403);
    expect(await ask({ url, headers: { ...right, origin: "http://localhost:3000" } })).toBe(200);
    expect(await ask({ url: new URL("/other", url).href, headers: right })).toBe(404);
    expect(new URL(url).hostname).toBe("127.0.0.1");
  });

  it("makes an unguessable token if none is given, and refuses a short one", async ({ onTestFinished }) => {
    const first = await serve(nobody, onTestFinished);
    const second = await serve(nobody, onTestFinished);
    expect(first.token).toMatch(/^[0-9a-z]{40}$/);
    expect(second.token).not.toBe(first.token);
    expect(await ask({ url: second.url, headers: { authorization: `Bearer ${first.token}` } })).toBe(401);
    const child = spawn(process.execPath, [...program, "--http"], {
      env: { PATH: process.env["PATH"] ?? "", AMBIT_MCP_TOKEN: "short" },
      stdio: "ignore",
    });
    expect(await once(child, "exit")).toStrictEqual([2, null]);
  });
});
