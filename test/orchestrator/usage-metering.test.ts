import { createServer, type Server } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Delegation } from "../../src/journal/store.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject } from "../e2e/project.ts";
import { runtimeOptions, useRuntime } from "./open-runtime.ts";
import { streamAgent, type StreamAction } from "./stream-agent.ts";

const VARIABLE = "GOOGLE_GEMINI_BASE_URL";
const REQUESTS_PAID_FOR = 3;

/** A provider whose every answer has cost $0.00125. */
async function startProvider(): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    requests += 1;
    response.setHeader("content-type", "application/json");
    const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 0, totalTokenCount: 1000 };
    response.end(JSON.stringify({ candidates: [], modelVersion: "gemini-2.5-pro", usageMetadata }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

/** Runs an agent that says nothing of its use, in a project with these settings. */
async function runMute(settings: string, url: string, actions: readonly StreamAction[]): Promise<Delegation> {
  const project = makeProject();
  project.write("ambit.yaml", settings);
  const agent = streamAgent(project, "mute", [actions]);
  const options = runtimeOptions(project);
  const environment = { ...options.environment, [VARIABLE]: url };
  const nothing = (): void => undefined;
  const opened = await openProjectRuntime({ ...options, environment, onQuiet: nothing, onShutdown: nothing });
  const runtime = useRuntime(project, opened);
  onTestFinished(() => runtime.close());
  const story = { id: "M1", title: "M1", adapter: "gemini", command: agent.command, budgetMicroUsd: 3750 };
  return runtime.engine.whenEnded(await runtime.engine.openStory(story));
}

const post = { post: "/v1beta/models/gemini-2.5-pro:generateContent", variable: VARIABLE } as const;

describe("an agent that says nothing of its use while it runs", () => {
  it("is held to its budget by the proxy, at most one request above it", { timeout: 60_000 }, async () => {
    const provider = await startProvider();
    const ended = await runMute("agents:\n  metering: proxy\n", provider.url, [{ ...post, everyMs: 700 }]);
    expect(ended).toMatchObject({ outcome: "partial", code: "COST_LIMIT_EXCEEDED", estimated: true });
    expect(provider.requests()).toBeGreaterThanOrEqual(REQUESTS_PAID_FOR);
    expect(provider.requests()).toBeLessThanOrEqual(REQUESTS_PAID_FOR + 1);
    expect(ended.microUsd).toBe(provider.requests() * 1250);
  });

  it("continues without one, and the journal says so (control)", { timeout: 60_000 }, async () => {
    const provider = await startProvider();
    const ended = await runMute("agents:\n  metering: none\n", provider.url, [
      { ...post, everyMs: 20, most: 12 },
      { print: { type: "result", status: "success", stats: {} } },
      { done: "Spent it. All of it." },
    ]);
    expect(ended.outcome).toBe("completed");
    expect(provider.requests()).toBe(12);
    expect(ended.microUsd).toBe(0);
  });
});
