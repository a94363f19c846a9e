export type Labels = Readonly<Record<string, string>>;

/** One figure. Its type never changes: `isDouble` decides it, not the value. */
export interface MetricDefinition {
  /** In OpenTelemetry. */
  readonly name: string;
  readonly prometheus: string;
  readonly help: string;
  /** As UCUM writes it: `s`, `USD`, `{token}`. */
  readonly unit: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly isDouble?: true;
  /** Values are kept as whole numbers of this part of the unit, so that sums are exact. */
  readonly partsPerUnit?: number;
  /** The upper bounds of a histogram. */
  readonly bounds?: readonly number[];
}

export interface MetricPoint {
  readonly labels: Labels;
  /** Of a counter or gauge; the sum of a histogram. */
  readonly value: number;
  /** Of a histogram, one more than it has bounds; none are added up yet. */
  readonly counts: readonly number[];
}

export interface Metric {
  readonly definition: MetricDefinition;
  readonly points: readonly MetricPoint[];
}

/** All figures at one time. */
export interface MetricReading {
  /** When the first counted event was; counters never start again. */
  readonly beganMs: number;
  readonly atMs: number;
  readonly metrics: readonly Metric[];
}
