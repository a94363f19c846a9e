import { describe, expect, it, onTestFinished } from "vitest";
import { openProjectRuntime } from "../../src/supervisor/project-runtime.ts";
import { makeProject } from "../e2e/project.ts";
import { runtimeOptions, useRuntime, type TestRuntime } from "../orchestrator/open-runtime.ts";
import { delegate, done, shell, spend, write } from "../orchestrator/steps.ts";
import { attribute, startCollector } from "./collector.ts";

async function openWith(more: Readonly<Record<string, string>>): Promise<TestRuntime> {
  const project = makeProject();
  const options = runtimeOptions(project);
  const nothing = (): void => undefined;
  const runtime = await openProjectRuntime({
    ...options,
    environment: { ...options.environment, ...more },
    onQuiet: nothing,
    onShutdown: nothing,
  });
  return useRuntime(project, runtime);
}

const script = {
  begin: [delegate([{ description: "Help out", agent: "helper", accept: ["file h.txt exists"] }])],
  results: [done("All in. It is there.")],
};

describe("traces of a real run", () => {
  it("arrive with story, delegation, attempt, check and merge nested, and workers know their span", async () => {
    const collector = await startCollector();
    const runtime = await openWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    runtime.agent("helper", [shell('printf %s "$TRACEPARENT" > h.txt'), spend(0.25, 40), done()]);
    await runtime.run("OT", script);
    const seen = runtime.file("refs/heads/ambit/OT", "h.txt");
    await runtime.close();
    const story = collector.spans().find(({ parentSpanId }) => parentSpanId === undefined);
    const helper = collector.span("invoke_agent helper");
    expect(helper.parentSpanId).toBe(story?.spanId);
    const below = collector.spans().filter(({ parentSpanId }) => parentSpanId === helper.spanId);
    expect(below.map(({ name }) => name).toSorted()).toStrictEqual(["attempt 1", "check c1", "merge"]);
    const attempt = below.find(({ name }) => name === "attempt 1");
    expect(seen).toBe(`00-${helper.traceId}-${attempt?.spanId}-01`);
    expect(attribute(helper, "gen_ai.usage.input_tokens")).toBe(40);
    expect(attribute(helper, "ambit.cost.usd")).toBe(0.25);
    expect(JSON.stringify(collector.requests)).not.toContain("Help out");
    const figures = JSON.stringify(collector.metricRequests.at(-1));
    expect(figures).toContain('"asDouble":0.25');
    expect(figures).not.toContain("Help out");
  });

  it("are not made without an endpoint, and workers get none (control)", async () => {
    const runtime = await openWith({});
    onTestFinished(() => runtime.close());
    runtime.agent("helper", [shell('printf "%s." "$TRACEPARENT" > h.txt'), write("i.txt", "i"), done()]);
    await runtime.run("OT", script);
    expect(runtime.file("refs/heads/ambit/OT", "h.txt")).toBe(".");
  });
});
