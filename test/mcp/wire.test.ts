import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { it } from "../orchestrator/open-runtime.ts";
import { done, shell, waitFor, write } from "../orchestrator/steps.ts";
import { holdManager } from "./held-worker.ts";
import { rawClient } from "./raw-client.ts";

describe.concurrent("on the wire, the MCP server", () => {
  it.for(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "speaks protocol %s, answers ping, and rejects unknown methods",
    async (version) => {
      const client = rawClient({ AMBIT_TOKEN: "nobody", AMBIT_SOCKET: "/nowhere.sock" });
      expect(await client.initialize(version)).toMatchObject({
        result: { protocolVersion: version, serverInfo: { name: "ambit" }, capabilities: { tools: {} } },
      });
      expect(await client.request("ping")).toMatchObject({ result: {} });
      expect(await client.request("no/such/method")).toMatchObject({ error: { code: -32601 } });
      expect(await client.call("no_such_tool", {})).toMatchObject({ error: { code: "USAGE" } });
      expect(await client.call("status", {})).toMatchObject({ error: { code: "SUPERVISOR_GONE" } });
      client.endInput();
      expect(await client.exited).toStrictEqual([0, null]);
    },
  );

  it("offers its newest protocol to a client that asks for a later one", async () => {
    const client = rawClient({ AMBIT_TOKEN: "nobody", AMBIT_SOCKET: "/nowhere.sock" });
    expect(await client.initialize("2099-01-01")).toMatchObject({
      result: { protocolVersion: "2025-11-25" },
    });
    client.endInput();
    await client.exited;
  });

  it("reports progress while a call waits, and a cancelled call cancels no worker", async ({ open }) => {
    const runtime = await open();
    const go = runtime.signal("go");
    runtime.agent("slow", [waitFor(go), write("slow.txt", "x"), done()]);
    const held = await holdManager(runtime, "W1", { after: [done()] });
    const client = rawClient(held.environment);
    await client.initialize("2025-06-18");
    const parameters = {
      name: "delegate",
      arguments: { tasks: [{ description: "Slowly", agent: "slow" }] },
      _meta: { progressToken: "p1" },
    };
    void client.request("tools/call", parameters, 77);
    await until("progress is told", () => client.notices.length > 0);
    expect(client.notices[0]).toMatchObject({
      method: "notifications/progress",
      params: { progressToken: "p1", progress: expect.any(Number) },
    });
    client.send({ method: "notifications/cancelled", params: { requestId: 77, reason: "too long" } });
    const waited = client.call("wait", {});
    runtime.open(go);
    expect(await waited).toMatchObject({ done: true, tasks: [{ result: { success: true } }] });
    expect(await runtime.read("W1-DEL-001")).toMatchObject({ outcome: "completed", attempt: 1 });
    client.endInput();
    await client.exited;
    expect((await held.release()).outcome).toBe("completed");
  });

  it.for(["end of input", "SIGINT", "SIGTERM", "SIGKILL"] as const)(
    "ends within seconds after %s, and the work it started continues",
    async (how, { open }) => {
      const runtime = await open();
      const go = runtime.signal("go");
      runtime.agent("slow", [waitFor(go), write("slow.txt", "x"), done()]);
      const held = await holdManager(runtime, "W2", { after: [shell("true")] });
      const client = rawClient(held.environment);
      await client.initialize("2025-11-25");
      void client.call("delegate", { tasks: [{ description: "Slowly", agent: "slow" }] });
      await until("it is at work", async () => {
        const worker = await runtime.engine.tools.store.delegation("W2-DEL-001");
        return worker?.state === "running";
      });
      const before = performance.now();
      if (how === "end of input") client.endInput();
      else client.kill(how);
      await client.exited;
      expect(performance.now() - before).toBeLessThan(5000);
      runtime.open(go);
      expect(await runtime.engine.whenEnded("W2-DEL-001")).toMatchObject({
        outcome: "completed",
        attempt: 1,
      });
      await held.release();
    },
  );

  it("works inside a worker's sandbox", async ({ open }) => {
    const runtime = await open();
    runtime.agent("helper", [write("helped.txt", "x"), done()]);
    runtime.project.write("client.mjs", insideClient);
    runtime.project.git("add", "-A");
    runtime.project.git("commit", "--quiet", "-m", "client");
    const story = await runtime.command("W3", `'${process.execPath}' client.mjs`, { isolation: "sandbox" });
    expect(runtime.output("W3", 1)).toContain("answered delegate true");
    expect(runtime.output("W3", 1)).toContain("answered submit_return true");
    expect(story).toMatchObject({ outcome: "completed", summary: "From inside. All is well." });
    expect(runtime.file("refs/heads/ambit/W3", "helped.txt")).toBe("x");
  });

  it("does not follow a link that its worker put in place of the return", async ({ open }) => {
    const runtime = await open();
    const victim = runtime.signal("victim");
    const held = await holdManager(runtime, "W4");
    const folder = `${runtime.project.root}/.git/ambit/logs/W4/attempt-1`;
    const { symlinkSync, writeFileSync, lstatSync } = await import("node:fs");
    writeFileSync(victim, "mine");
    symlinkSync(victim, `${folder}/return.json`);
    const client = rawClient(held.environment);
    await client.initialize("2025-06-18");
    const input = { status: "completed", summary: "Did it. All of it.", artifacts: [] };
    expect(await client.call("submit_return", input)).toMatchObject({ accepted: true });
    expect(runtime.text(victim)).toBe("mine");
    expect(lstatSync(`${folder}/return.json`).isFile()).toBe(true);
    client.endInput();
    await client.exited;
    expect((await held.release()).outcome).toBe("completed");
  });
});

/** Speaks to the server from where a worker is: only Node, our program and its own folder are there. */
const insideClient = `
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
const child = spawn("ambit", ["mcp"], { stdio: ["pipe", "pipe", "inherit"] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
let id = 0;
const request = async (method, params) => {
  id += 1;
  child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
  for (;;) {
    const message = JSON.parse((await lines.next()).value);
    if (message.id === id) return message.result;
  }
};
await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "in", version: "0" } });
const call = async (name, args) => {
  const result = await request("tools/call", { name, arguments: args });
  const value = result.structuredContent;
  console.log("answered", name, value.done ?? value.accepted, JSON.stringify(value));
};
await call("delegate", { tasks: [{ description: "Help", agent: "helper" }] });
await call("submit_return", { status: "completed", summary: "From inside. All is well.", artifacts: [] });
child.stdin.end();
`;
