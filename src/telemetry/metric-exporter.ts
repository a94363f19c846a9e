import { createHash } from "node:crypto";
import { systemClock } from "../base/clock.ts";
import { readErrorMessage } from "../base/delegation-error.ts";
import { JournalMetrics, type MetricReader } from "./journal-metrics.ts";
import { metricsRequest } from "./otlp-metrics.ts";
import { readOtlpSettings, type OtlpSettings } from "./otlp-settings.ts";
import { sendOtlp, type SendResult } from "./send-otlp.ts";

export interface MetricExporterOptions {
  readonly reader: MetricReader;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Distinguishes this project's figures from those of others that have the same service name. */
  readonly projectRoot: string;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly providers: ReadonlyMap<string, string>;
}

export interface MetricExporter {
  /** Sends the last figures within the time given. */
  close(withinMs?: number): Promise<void>;
}

const nothing: MetricExporter = { close: () => Promise.resolve() };

/** Sends all figures to a collector now and then while this process lives, and once more at its end. */
export function startMetricExport(options: MetricExporterOptions): MetricExporter {
  const wish = readOtlpSettings(options.environment, "metrics");
  if (wish.kind === "unusable") options.log(`metrics are not exported: ${wish.reason}`);
  return wish.kind === "on" ? new PeriodicMetrics(options, wish.settings) : nothing;
}

const DEFAULT_INTERVAL_MS = 60_000;
const MIN_INTERVAL_MS = 1000;
const CLOSE_MS = 3000;

class PeriodicMetrics implements MetricExporter {
  readonly #options: MetricExporterOptions;
  readonly #settings: OtlpSettings;
  readonly #metrics: JournalMetrics;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  #sending: Promise<void> | undefined;
  #isFailing = false;

  constructor(options: MetricExporterOptions, settings: OtlpSettings) {
    this.#options = options;
    const instance = { "service.instance.id": hashInstance(options.projectRoot) };
    this.#settings = { ...settings, resource: { ...instance, ...settings.resource } };
    this.#metrics = new JournalMetrics(options.providers);
    this.#timer = setInterval(() => void this.#send(), readInterval(options.environment));
    this.#timer.unref();
  }

  async close(withinMs: number = CLOSE_MS): Promise<void> {
    clearInterval(this.#timer);
    const limit = setTimeout(() => this.#stop.abort(), withinMs);
    try {
      await this.#sending;
      await this.#send(false);
    } finally {
      clearTimeout(limit);
    }
  }

  /** A round that takes longer than the interval is not overtaken by the next one. */
  #send(isDriven = true): Promise<void> {
    this.#sending ??= this.#sendOnce(isDriven).finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #sendOnce(isDriven: boolean): Promise<void> {
    const { reader, version, log } = this.#options;
    let result: SendResult;
    try {
      const reading = await this.#metrics.read(reader, { nowMs: systemClock.wallMs(), isDriven });
      const request = metricsRequest(reading, { ...this.#settings, version });
      result = await sendOtlp(request, { settings: this.#settings, signal: this.#stop.signal });
    } catch (error) {
      // A problem with figures never stops the work they describe.
      result = { kind: "later", reason: readErrorMessage(error) };
    }
    if (result.kind !== "sent" && !this.#isFailing) log(`metrics were not taken: ${result.reason}`);
    if (result.kind === "sent" && this.#isFailing) log("metrics are exported again");
    this.#isFailing = result.kind !== "sent";
  }
}

function readInterval(environment: MetricExporterOptions["environment"]): number {
  const asked = Number(environment["OTEL_METRIC_EXPORT_INTERVAL"]?.trim());
  return Number.isFinite(asked) && asked >= MIN_INTERVAL_MS ? asked : DEFAULT_INTERVAL_MS;
}

/** The same project always has the same id, and the id does not say where it is. */
function hashInstance(projectRoot: string): string {
  return createHash("sha256")
    .update(JSON.stringify(["ambit", projectRoot]))
    .digest("hex")
    .slice(0, 32);
}
