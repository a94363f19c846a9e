import type { Labels, Metric, MetricDefinition, MetricPoint } from "./metric.ts";

/** Agents choose the names of models, so their number is limited; otherwise an agent could fill the memory. */
const MAX_SERIES = 500;
const MAX_LABEL_LENGTH = 200;

interface Series {
  readonly labels: Labels;
  readonly counts: number[];
  value: number;
}

/** Sums by labels. Past the limit of a metric, new combinations are counted together as `other`. */
export class MetricBook {
  readonly #metrics: ReadonlyMap<MetricDefinition, Map<string, Series>>;

  constructor(definitions: readonly MetricDefinition[]) {
    this.#metrics = new Map(definitions.map((definition) => [definition, new Map<string, Series>()]));
  }

  add(definition: MetricDefinition, labels: Labels, amount = 1): void {
    const series = this.#findSeries(definition, labels);
    if (series !== undefined) series.value += amount;
  }

  /** Adds one value to a histogram. */
  observe(definition: MetricDefinition, labels: Labels, value: number): void {
    const series = this.#findSeries(definition, labels);
    if (series === undefined) return;
    const at = (definition.bounds ?? []).findIndex((bound) => value <= bound);
    const bucket = at === -1 ? series.counts.length - 1 : at;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.value += value;
  }

  list(): readonly Metric[] {
    return [...this.#metrics].map(([definition, series]) => ({
      definition,
      points: [...series.values()].map((one) => toPoint(definition, one)),
    }));
  }

  #findSeries(definition: MetricDefinition, given: Labels): Series | undefined {
    const known = this.#metrics.get(definition);
    const labels = changeValues(given, (value) => value.slice(0, MAX_LABEL_LENGTH));
    const found = known?.get(JSON.stringify(labels));
    if (known === undefined || found !== undefined) return found;
    const kept = known.size < MAX_SERIES ? labels : changeValues(labels, () => "other");
    const key = JSON.stringify(kept);
    const counts = (definition.bounds ?? []).map(() => 0);
    const series = known.get(key) ?? { labels: kept, value: 0, counts: [...counts, 0] };
    known.set(key, series);
    return series;
  }
}

function toPoint({ partsPerUnit = 1 }: MetricDefinition, { labels, value, counts }: Series): MetricPoint {
  return { labels, value: value / partsPerUnit, counts: [...counts] };
}

function changeValues(labels: Labels, change: (value: string) => string): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, change(value)]));
}
