import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillSeedStory } from "../../reports/fill-store.ts";
import { attribute, startCollector } from "../../telemetry/collector.ts";
import { filledRepository, run } from "./filled-repository.ts";

describe("ambit audit --export otlp", () => {
  it("writes one OTLP request per line for work that has ended", async () => {
    const directory = await filledRepository(fillSeedStory);
    const { stdout, exitCode } = await run(directory, ["audit", "--export", "otlp"]);
    expect([exitCode, stdout]).toStrictEqual([0, expect.stringMatching(/traces\.jsonl: 12 spans/)]);
    const lines = readFileSync(join(directory, ".git/ambit/logs/traces.jsonl"), "utf8").trimEnd().split("\n");
    const [request] = lines.map((line) => JSON.parse(line));
    expect(request).toMatchObject({ resourceSpans: [{ scopeSpans: [{ scope: { name: "ambit" } }] }] });
    expect(lines.join("\n")).not.toContain("JWT service");
  });

  it("sends the same spans to a collector, however often it is run", async () => {
    const collector = await startCollector();
    const environment = { PATH: process.env["PATH"] ?? "", OTEL_EXPORTER_OTLP_ENDPOINT: collector.address };
    const directory = await filledRepository(fillSeedStory);
    const { stdout, exitCode } = await run(directory, ["audit", "--export", "otlp", "--send"], {
      environment,
    });
    expect([exitCode, stdout.trim()]).toStrictEqual([0, `✔ 12 spans sent to ${collector.address}`]);
    const first = collector.spans().map(({ spanId }) => spanId);
    await run(directory, ["audit", "US-007", "--export", "otlp", "--send"], { environment });
    expect(collector.spans().map(({ spanId }) => spanId)).toStrictEqual([...first, ...first]);
    expect(attribute(collector.span("invoke_agent implementer"), "gen_ai.agent.id")).toBe("US-007-DEL-001");
  });

  it("refuses --send without a collector or with another format, and reports a collector that rejects the spans", async () => {
    const directory = await filledRepository(fillSeedStory);
    const nowhere = await run(directory, ["audit", "--export", "otlp", "--send"]);
    expect(nowhere).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT"),
    });
    const other = await run(directory, ["audit", "--export", "graph", "--send"]);
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Add --export otlp.") });
    const collector = await startCollector((response) => response.writeHead(401).end());
    const environment = { PATH: process.env["PATH"] ?? "", OTEL_EXPORTER_OTLP_ENDPOINT: collector.address };
    const refused = await run(directory, ["--json", "audit", "--export", "otlp", "--send"], { environment });
    expect([refused.exitCode, JSON.parse(refused.stdout)]).toMatchObject([
      6,
      { error: { code: "TRACES_NOT_SENT", message: expect.stringContaining("answered 401") } },
    ]);
  });
});
