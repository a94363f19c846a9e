import { describe, expect, it } from "vitest";
import { startMetricExport, type MetricExporter } from "../../src/telemetry/metric-exporter.ts";
import { otlpProtocols } from "../../src/telemetry/otlp-settings.ts";
import type { Store } from "../../src/journal/store.ts";
import { complete, FakeClock, fillSeedStory, openStory, spend } from "../reports/fill-store.ts";
import { temporaryStore } from "../reports/temporary-store.ts";
import { until } from "../e2e/project.ts";
import { startCollector, type Collector, type ReceivedMetric } from "./collector.ts";

function begin(
  store: Store,
  environment: Readonly<Record<string, string>>,
  log: string[] = [],
): MetricExporter {
  return startMetricExport({
    reader: store,
    environment,
    projectRoot: "/some/project",
    version: "1.2.3",
    providers: new Map(),
    log: (line) => log.push(line),
  });
}

function lastMetrics({ metricRequests }: Collector): readonly ReceivedMetric[] {
  return metricRequests.at(-1)?.resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
}

function find(collector: Collector, name: string): ReceivedMetric {
  const found = lastMetrics(collector).find((metric) => metric.name === name);
  if (found === undefined) throw new Error(`no metric ${name}`);
  return found;
}

describe("exporting metrics", () => {
  it.each(otlpProtocols)(
    "sends all figures as %s, with the name of the program and without the path of the project",
    async (protocol) => {
      const collector = await startCollector();
      const clock = new FakeClock();
      const store = temporaryStore(clock);
      await fillSeedStory(store, clock);
      await complete(store, "US-007");
      const exporter = begin(store, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-key=secret",
      });
      await exporter.close();
      expect(collector.paths).toStrictEqual(["/v1/metrics"]);
      expect(collector.headers[0]).toMatchObject({ "x-key": "secret" });
      const [sent] = collector.metricRequests[0]?.resourceMetrics ?? [];
      expect(sent?.scopeMetrics[0]?.scope).toStrictEqual({ name: "ambit", version: "1.2.3" });
      expect(sent?.resource.attributes.map(({ key }) => key).toSorted()).toStrictEqual([
        "service.instance.id",
        "service.name",
      ]);
      expect(JSON.stringify(sent?.resource)).not.toContain("/some/project");
      expect(find(collector, "ambit.cost")).toMatchObject({
        unit: "USD",
        sum: {
          isMonotonic: true,
          dataPoints: expect.arrayContaining([
            expect.objectContaining({
              asDouble: 0.45,
              attributes: expect.arrayContaining([
                { key: "ambit.agent", value: { stringValue: "implementer" } },
              ]),
            }),
          ]),
        },
      });
      expect(find(collector, "gen_ai.client.token.usage")).toHaveProperty("histogram");
      expect(find(collector, "ambit.supervisor.up")).toMatchObject({
        gauge: { dataPoints: [{ asInt: "0", attributes: [] }] },
      });
      const duration = find(collector, "gen_ai.client.operation.duration");
      const points = "histogram" in duration ? duration.histogram.dataPoints : [];
      expect(points.map(({ count }) => Number(count)).reduce((sum, count) => sum + count, 0)).toBe(5);
      for (const { bucketCounts, explicitBounds } of points)
        expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
    },
  );

  it("sends every point of a figure with one type, whatever its value", async () => {
    const collector = await startCollector();
    const store = temporaryStore(new FakeClock());
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    };
    for (const [id, usd] of [
      ["A", 1],
      ["B", 0.25],
      ["C", 2],
    ] as const) {
      await openStory(store, id, "Story");
      await spend(store, id, { in: 10, out: 1, usd });
      await begin(store, environment).close();
    }
    const types = new Map<string, Set<string>>();
    for (const { resourceMetrics } of collector.metricRequests)
      for (const metric of resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? []) {
        const points =
          "sum" in metric ? metric.sum.dataPoints : "gauge" in metric ? metric.gauge.dataPoints : [];
        const known = types.get(metric.name) ?? new Set();
        types.set(metric.name, known);
        for (const point of points) known.add("asInt" in point ? "int" : "double");
      }
    expect(types.get("ambit.cost")).toStrictEqual(new Set(["double"]));
    expect([...types].filter(([, kinds]) => kinds.size > 1)).toStrictEqual([]);
  });

  it("sends regularly while work is running, and reports an absent collector once", async () => {
    const collector = await startCollector();
    const store = temporaryStore(new FakeClock());
    await openStory(store, "S", "Story");
    const exporter = begin(store, {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.address}/own/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: "1000",
    });
    await until("two requests arrive", () => collector.metricRequests.length >= 2);
    expect(find(collector, "ambit.supervisor.up")).toMatchObject({ gauge: { dataPoints: [{ asInt: "1" }] } });
    expect(collector.paths).toContain("/own/metrics");
    await exporter.close();
    const log: string[] = [];
    await begin(store, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, log).close();
    expect(log).toStrictEqual([expect.stringContaining("metrics were not taken: ")]);
  });

  it("does nothing without an endpoint, and logs an endpoint that it cannot use", async () => {
    const log: string[] = [];
    const store = temporaryStore(new FakeClock());
    await begin(store, {}, log).close();
    await begin(store, { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, log).close();
    expect(log).toStrictEqual([expect.stringContaining("metrics are not exported: the OTLP endpoint")]);
  });
});
