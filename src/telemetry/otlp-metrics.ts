import {
  attributeList,
  SCHEMA_URL,
  toNanoseconds,
  type OtlpAttribute,
  type OtlpSource,
} from "./otlp-json.ts";
import type { Labels, Metric, MetricPoint, MetricReading } from "./metrics/metric.ts";

/** OTLP's metrics request in its JSON form, as far as it is used here. */
export interface OtlpMetrics {
  readonly resourceMetrics: readonly [
    {
      readonly resource: { readonly attributes: readonly OtlpAttribute[] };
      readonly scopeMetrics: readonly [
        {
          readonly scope: { readonly name: string; readonly version: string };
          readonly metrics: readonly OtlpMetric[];
          readonly schemaUrl: string;
        },
      ];
      readonly schemaUrl: string;
    },
  ];
}

interface OtlpMetric {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly gauge?: { readonly dataPoints: readonly NumberPoint[] };
  readonly sum?: Cumulative<NumberPoint> & { readonly isMonotonic: true };
  readonly histogram?: Cumulative<HistogramPoint>;
}

interface Cumulative<Point> {
  readonly dataPoints: readonly Point[];
  readonly aggregationTemporality: typeof CUMULATIVE;
}

interface Times {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

interface NumberPoint extends Times {
  readonly attributes: readonly OtlpAttribute[];
  readonly asInt?: string;
  readonly asDouble?: number;
}

interface HistogramPoint extends Times {
  readonly attributes: readonly OtlpAttribute[];
  readonly count: string;
  readonly sum: number;
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
}

const CUMULATIVE = 2;

/** One request with all figures; those without a value yet are left out. */
export function metricsRequest(reading: MetricReading, { resource, version }: OtlpSource): OtlpMetrics {
  const times = {
    startTimeUnixNano: toNanoseconds(reading.beganMs),
    timeUnixNano: toNanoseconds(reading.atMs),
  };
  const metrics = reading.metrics
    .filter(({ points }) => points.length > 0)
    .map((one) => otlpMetric(one, times));
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributeList(resource) },
        scopeMetrics: [{ scope: { name: "ambit", version }, metrics, schemaUrl: SCHEMA_URL }],
        schemaUrl: SCHEMA_URL,
      },
    ],
  };
}

function otlpMetric({ definition, points }: Metric, times: Times): OtlpMetric {
  const { name, help, unit, kind } = definition;
  const described = { name, description: help, unit };
  if (kind === "histogram") {
    const dataPoints = points.map((point) => histogramPoint(definition.bounds ?? [], point, times));
    return { ...described, histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
  }
  const dataPoints = points.map(({ labels, value }) => ({
    ...times,
    ...(definition.isDouble === true ? { asDouble: value } : { asInt: String(BigInt(Math.round(value))) }),
    attributes: nameAttributes(labels),
  }));
  if (kind === "gauge") return { ...described, gauge: { dataPoints } };
  return { ...described, sum: { dataPoints, aggregationTemporality: CUMULATIVE, isMonotonic: true } };
}

function histogramPoint(
  bounds: readonly number[],
  { labels, value, counts }: MetricPoint,
  times: Times,
): HistogramPoint {
  return {
    ...times,
    count: String(counts.reduce((sum, count) => sum + count, 0)),
    sum: value,
    bucketCounts: counts.map(String),
    explicitBounds: bounds,
    attributes: nameAttributes(labels),
  };
}

/** Labels of our own get our prefix; those of the conventions have one already. */
function nameAttributes(labels: Labels): readonly OtlpAttribute[] {
  return attributeList(
    Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [key.includes(".") ? key : `ambit.${key}`, value]),
    ),
  );
}
