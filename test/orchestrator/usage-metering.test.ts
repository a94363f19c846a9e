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
async function startProvider(
  model = "gemini-2.5-pro",
): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    requests += 1;
    response.setHeader("content-type", "application/json");
    const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 0, totalTokenCount: 1000 };
    response.end(JSON.stringify({ candidates: [], modelVersion: model, usageMetadata }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, requests: () => requests };
}

interface MuteRun {
  readonly settings?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly story?: object;
}

/** Runs an agent that says nothing of its use. */
async function runMute(run: MuteRun, actions: readonly StreamAction[]): Promise<Delegation> {
  const project = makeProject();
  project.write("ambit.yaml", run.settings ?? "");
  const agent = streamAgent(project, "mute", [actions]);
  const options = runtimeOptions(project);
  const environment = { ...options.environment, ...run.environment };
  const nothing = (): void => undefined;
  const opened = await openProjectRuntime({ ...options, environment, onQuiet: nothing, onShutdown: nothing });
  const runtime = useRuntime(project, opened);
  onTestFinished(() => runtime.close());
  const story = { id: "M1", title: "M1", adapter: "gemini", command: agent.command, budgetMicroUsd: 3750 };
  return runtime.engine.whenEnded(await runtime.engine.openStory({ ...story, ...run.story }));
}

const post = { post: "/v1beta/models/gemini-2.5-pro:generateContent", variable: VARIABLE } as const;

describe("an agent that reports no usage while it runs", () => {
  it("is held to its budget by the proxy, at most one request above it", { timeout: 60_000 }, async () => {
    const provider = await startProvider();
    const ended = await runMute({ environment: { [VARIABLE]: provider.url } }, [{ ...post, everyMs: 700 }]);
    expect(ended).toMatchObject({ outcome: "partial", code: "COST_LIMIT_EXCEEDED", estimated: true });
    expect(provider.requests()).toBeGreaterThanOrEqual(REQUESTS_PAID_FOR);
    expect(provider.requests()).toBeLessThanOrEqual(REQUESTS_PAID_FOR + 1);
    expect(ended.microUsd).toBe(provider.requests() * 1250);
  });

  const spend12: readonly StreamAction[] = [
    { ...post, everyMs: 20, most: 12 },
    { print: { type: "result", status: "success", stats: {} } },
    { done: "Spent it. All of it." },
  ];

  it("is refused before it starts if its budget cannot be enforced", { timeout: 60_000 }, async () => {
    const provider = await startProvider();
    const environment = { [VARIABLE]: provider.url };
    const off = { settings: "agents:\n  metering: none\n", environment };
    const vertex = { environment: { ...environment, GOOGLE_GENAI_USE_VERTEXAI: "true" } };
    const behindProxy = { environment: { ...environment, HTTPS_PROXY: "http://192.0.2.1:8080" } };
    for (const run of [off, vertex, behindProxy])
      await expect(runMute(run, spend12)).rejects.toMatchObject({ code: "BUDGET_UNMETERED" });
    const unpriced = { environment, story: { model: "made-up-1" } };
    await expect(runMute(unpriced, spend12)).rejects.toThrow("no price is known for the model made-up-1");
    expect(provider.requests()).toBe(0);
  });

  it("continues without a limit where the person allows it (control)", { timeout: 60_000 }, async () => {
    const provider = await startProvider();
    const run = {
      settings: "agents:\n  metering: none\n",
      environment: { [VARIABLE]: provider.url },
      story: { allowUnmetered: true },
    };
    const ended = await runMute(run, spend12);
    expect(ended.outcome).toBe("completed");
    expect(provider.requests()).toBe(12);
    expect(ended.microUsd).toBe(0);
  });

  it("is stopped at its first request with a model that has no price", { timeout: 60_000 }, async () => {
    const provider = await startProvider("made-up-1");
    const environment = { [VARIABLE]: provider.url };
    const ended = await runMute({ environment }, [{ ...post, everyMs: 700 }]);
    expect(ended).toMatchObject({ outcome: "partial", code: "BUDGET_UNMETERED", unpricedTokens: 1000 });
    expect(provider.requests()).toBe(1);
  });
});
