import type { Labels, Metric, MetricPoint, MetricReading } from "./metrics/metric.ts";

/** All figures in Prometheus' text format. */
export function writePrometheusText({ metrics }: MetricReading): string {
  return metrics.map(writeMetric).join("");
}

function writeMetric(metric: Metric): string {
  const { prometheus, help, kind } = metric.definition;
  const samples = metric.points.flatMap((point) =>
    kind === "histogram"
      ? histogramSamples(metric, point)
      : [writeSample(prometheus, point.labels, point.value)],
  );
  return [`# HELP ${prometheus} ${escapeHelp(help)}`, `# TYPE ${prometheus} ${kind}`, ...samples, ""].join(
    "\n",
  );
}

/** Each bucket contains the ones below it, as the format wants it. */
function histogramSamples({ definition }: Metric, { labels, value, counts }: MetricPoint): readonly string[] {
  const { prometheus, bounds = [] } = definition;
  let sum = 0;
  const buckets = counts.map((count, index) => {
    sum += count;
    const bound = bounds[index];
    const le = bound === undefined ? "+Inf" : String(bound);
    return writeSample(`${prometheus}_bucket`, { ...labels, le }, sum);
  });
  return [
    ...buckets,
    writeSample(`${prometheus}_sum`, labels, value),
    writeSample(`${prometheus}_count`, labels, sum),
  ];
}

function writeSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(
    ([key, text]) => `${key.replaceAll(".", "_")}="${escapeLabel(text)}"`,
  );
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', String.raw`\"`);
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", String.raw`\\`).replaceAll("\n", String.raw`\n`);
}
