import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/journal/store.ts";
import { SCHEMA_URL } from "../../src/telemetry/otlp-json.ts";
import { otlpProtocols } from "../../src/telemetry/otlp-settings.ts";
import { startTraceExport, type TraceExporter } from "../../src/telemetry/trace-exporter.ts";
import { complete, FakeClock, fillSeedStory, openStory, spend } from "../reports/fill-store.ts";
import { temporaryStore } from "../reports/temporary-store.ts";
import { attribute, startCollector } from "./collector.ts";

interface Rig {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly stateFile: string;
  readonly log: string[];
  readonly begin: (environment: Readonly<Record<string, string>>) => Promise<TraceExporter>;
}

function makeRig(): Rig {
  const folder = mkdtempSync(join(tmpdir(), "ambit-traces-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new FakeClock();
  const store = temporaryStore(clock);
  const log: string[] = [];
  const stateFile = join(folder, "traces.json");
  const begin = async (environment: Readonly<Record<string, string>>): Promise<TraceExporter> => {
    const exporter = await startTraceExport({
      reader: store,
      environment,
      stateFile,
      version: "1.2.3",
      providers: new Map(),
      log: (line) => log.push(line),
    });
    const leave = store.onEvent((event) => exporter.see(event));
    onTestFinished(leave);
    return exporter;
  };
  return { store, clock, stateFile, log, begin };
}

const endpoint = (address: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
/** Nobody listens there: the port of a server that has been closed. */
const NOBODY = "http://127.0.0.1:9";

describe("exporting traces", () => {
  it.each(otlpProtocols)(
    "sends the whole tree as %s, with its parents, its headers and its source",
    async (protocol) => {
      const collector = await startCollector();
      const { store, clock, begin } = makeRig();
      const exporter = await begin({
        ...endpoint(collector.address),
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=secret",
        OTEL_EXPORTER_OTLP_COMPRESSION: protocol === "http/json" ? "gzip" : "none",
      });
      await fillSeedStory(store, clock);
      await complete(store, "US-007");
      await exporter.close();
      const byId = new Map(collector.spans().map((span) => [span.spanId, span]));
      const root = collector.span("invoke_workflow story");
      for (const span of collector.spans())
        expect(span === root || byId.has(span.parentSpanId ?? ""), `${span.name} has its parent`).toBe(true);
      expect(collector.spans().filter(({ name }) => name.startsWith("invoke_"))).toHaveLength(5);
      expect(attribute(root, "gen_ai.usage.input_tokens")).toBe(25_000);
      expect(attribute(collector.span("invoke_agent implementer"), "ambit.cost.usd")).toBe(0.45);
      expect(collector.headers[0]).toMatchObject({ "x-key": "secret" });
      expect(collector.paths).toContain("/v1/traces");
      expect(collector.requests[0]?.resourceSpans[0]).toMatchObject({
        resource: { attributes: [{ key: "service.name", value: { stringValue: "ambit" } }] },
        scopeSpans: [{ scope: { name: "ambit", version: "1.2.3" }, schemaUrl: SCHEMA_URL }],
        schemaUrl: SCHEMA_URL,
      });
    },
  );

  it("gives the same content in both formats", async () => {
    const [json, binary] = [await startCollector(), await startCollector()];
    const { store, clock, begin, stateFile } = makeRig();
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    for (const [collector, protocol] of [
      [json, "http/json"],
      [binary, "http/protobuf"],
    ] as const) {
      writeFileSync(stateFile, JSON.stringify({ sent: 0 }));
      const exporter = await begin({
        ...endpoint(collector.address),
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      });
      await exporter.close();
    }
    expect(json.spans().length).toBeGreaterThan(10);
    expect(binary.requests).toStrictEqual(json.requests);
  });

  it("gives a number the same type whatever its value", async () => {
    const collector = await startCollector();
    const { store, begin } = makeRig();
    const exporter = await begin({
      ...endpoint(collector.address),
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    for (const [id, usd] of [
      ["WHOLE", 2],
      ["PART", 0.25],
    ] as const) {
      await openStory(store, id, "Story");
      await spend(store, id, { in: 10, out: 1, usd });
      await complete(store, id);
    }
    await exporter.close();
    const types = new Map<string, Set<string>>();
    for (const { attributes } of collector.spans())
      for (const { key, value } of attributes)
        types.set(key, new Set([...(types.get(key) ?? []), ...Object.keys(value)]));
    expect(types.get("ambit.cost.usd")).toStrictEqual(new Set(["doubleValue"]));
    expect([...types].filter(([, kinds]) => kinds.size > 1)).toStrictEqual([]);
  });

  it("sends no past work the first time, and nothing twice after a restart", async () => {
    const collector = await startCollector();
    const { store, clock, begin } = makeRig();
    await openStory(store, "OLD", "Before");
    await complete(store, "OLD");
    const first = await begin(endpoint(collector.address));
    await fillSeedStory(store, clock);
    await first.close();
    const second = await begin(endpoint(collector.address));
    await complete(store, "US-007");
    await second.close();
    const ids = collector.spans().map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(collector.spans().filter((span) => attribute(span, "ambit.story.id") === "OLD")).toStrictEqual([]);
    expect(collector.spans().filter(({ name }) => name.startsWith("invoke_"))).toHaveLength(5);
  });

  it("keeps everything in the journal while there is no collector, and sends it from the next process", async () => {
    const { store, clock, begin, log } = makeRig();
    const lonely = await begin(endpoint(NOBODY));
    await fillSeedStory(store, clock);
    await complete(store, "US-007");
    await lonely.close();
    expect(log).toStrictEqual([expect.stringContaining("traces wait in the journal")]);
    const collector = await startCollector();
    const next = await begin(endpoint(collector.address));
    await next.close();
    expect(collector.spans().filter(({ name }) => name.startsWith("invoke_"))).toHaveLength(5);
  });

  it("is not delayed by a collector that never answers", async () => {
    let noteRequest = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      noteRequest = resolve;
    });
    const collector = await startCollector(() => noteRequest());
    const { store, clock, begin } = makeRig();
    // Only `close` can end this request before the time limit of the test.
    const exporter = await begin({ ...endpoint(collector.address), OTEL_EXPORTER_OTLP_TIMEOUT: "3600000" });
    await fillSeedStory(store, clock);
    await isAsked;
    await exporter.close(100);
    expect(collector.requests).toHaveLength(1);
  });

  it("drops spans that a collector will never accept, reports them without the key, and follows no redirect", async () => {
    const elsewhere = await startCollector();
    const collector = await startCollector((response) =>
      response.writeHead(307, { location: `${elsewhere.address}/v1/traces` }).end(),
    );
    const { store, clock, begin, log, stateFile } = makeRig();
    const exporter = await begin({
      ...endpoint(collector.address),
      OTEL_EXPORTER_OTLP_HEADERS: "key=s3cret",
    });
    await fillSeedStory(store, clock);
    await exporter.close();
    expect(elsewhere.requests).toStrictEqual([]);
    expect(log.join("\n")).toMatch(/^\d+ spans were not taken: the collector answered 307$/);
    expect(log.join("\n")).not.toContain("s3cret");
    expect(JSON.parse(readFileSync(stateFile, "utf8"))).toStrictEqual({ sent: (await store.head()).seq });
  });

  it("does nothing without an endpoint, and forgets its position", async () => {
    const collector = await startCollector();
    const { store, clock, begin, stateFile, log } = makeRig();
    const on = await begin(endpoint(collector.address));
    await openStory(store, "A", "Traced");
    await complete(store, "A");
    await on.close();
    expect(existsSync(stateFile)).toBe(true);
    const off = await begin({});
    await fillSeedStory(store, clock);
    await off.close();
    expect(existsSync(stateFile)).toBe(false);
    const again = await begin(endpoint(collector.address));
    await complete(store, "US-007");
    await again.close();
    const delegations = collector.spans().filter(({ name }) => name.startsWith("invoke_"));
    expect(delegations.map((span) => attribute(span, "ambit.delegation.id"))).toStrictEqual(["A", "US-007"]);
    expect(log).toStrictEqual([]);
  });

  it("logs a protocol that it does not support", async () => {
    const { begin, log } = makeRig();
    await begin({ ...endpoint(NOBODY), OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" });
    expect(log).toStrictEqual([expect.stringContaining("traces are not exported: OTLP protocol grpc")]);
  });
});
