import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { UsageReport } from "../../src/contract/usage.ts";
import { keepRequest, readKeptRequests } from "../../src/orchestrator/running/invoke/kept-requests.ts";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { removeFolder } from "../e2e/remove-folder.ts";
import { makeProject, until } from "../e2e/project.ts";
import { runtimeOptions } from "./open-runtime.ts";
import { streamAgent } from "./stream-agent.ts";
import { useDoomedProgram } from "./use-doomed-program.ts";

const report = (id: string, inputTokens: number): UsageReport => ({
  scope: "request",
  id,
  usage: { inputTokens, cachedTokens: 0, outputTokens: 5, microUsd: null },
});

describe("requests that the metering proxy saw", () => {
  it("are read back from their file, an estimate only if no report followed it, and a torn line not at all", () => {
    const file = join(mkdtempSync(join(tmpdir(), "ambit-requests-")), "requests.jsonl");
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    expect(readKeptRequests(file)).toEqual([]);
    keepRequest(file, report("a", 1), true);
    keepRequest(file, report("a", 700));
    keepRequest(file, report("b", 3), true);
    appendFileSync(file, '{"scope":"request","id":"c","usa');
    expect(readKeptRequests(file)).toEqual([report("a", 700), report("b", 3)]);
  });
});

const doomed = useDoomedProgram("test/orchestrator/doomed-runtime.ts");
const VARIABLE = "GOOGLE_GEMINI_BASE_URL";
const post = { post: "/v1beta/models/gemini-2.5-pro:generateContent", variable: VARIABLE } as const;
const usage = { promptTokenCount: 1000, candidatesTokenCount: 0, totalTokenCount: 1000 };

/** Answers the first request, and begins to answer the second. */
async function startProvider(): Promise<string> {
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume();
    requests += 1;
    response.setHeader("content-type", "application/json");
    if (requests === 1) response.end(JSON.stringify({ candidates: [], usageMetadata: usage }));
    else response.write("{");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

describe("a runtime that is killed while a request is under way", () => {
  it.each([
    ["books it when it comes back", 1001, false],
    ["books only earlier requests without the note (control)", 1000, true],
  ])("%s", { timeout: 120_000 }, async (_name, tokens, isForgotten) => {
    const project = makeProject();
    onTestFinished(() => removeFolder(dirname(project.root)));
    const agent = streamAgent(project, "mute", [[{ ...post, everyMs: 1 }], [{ done: "Ended. Quietly." }]]);
    const given = runtimeOptions(project);
    const options = {
      ...given,
      environment: { ...given.environment, [VARIABLE]: await startProvider() },
    };
    const story = { id: "M1", title: "M1", adapter: "gemini", command: agent.command, budgetTokens: 100_000 };
    const child = doomed.start({ type: "never", delegation: "", story, options });
    const requests = join(project.root, ".git/ambit/logs/M1/attempt-1/requests.jsonl");
    const begun = (): number =>
      existsSync(requests) ? readFileSync(requests, "utf8").split('"isBegun":true').length - 1 : 0;
    await until("the second request is under way", () => begun() === 2);
    child.kill("SIGKILL");
    await once(child, "exit");
    if (isForgotten) rmSync(requests);
    const nothing = (): void => undefined;
    const runtime = await openProjectRuntime({ ...options, onQuiet: nothing, onShutdown: nothing });
    onTestFinished(() => runtime.close());
    expect((await runtime.engine.whenEnded("M1")).tokens.spent).toBe(tokens);
  });
});
