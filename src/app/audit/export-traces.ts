import { join } from "node:path";
import { telemetryProviders } from "../../agents/agent-programs.ts";
import { telemetryErrors } from "../../errors/telemetry.ts";
import { writeExport, type Chunk } from "../../journal/write-export.ts";
import type { StoreReader } from "../../journal/store.ts";
import { batchTraces } from "../../telemetry/batch-traces.ts";
import { otlpRequest } from "../../telemetry/otlp-json.ts";
import { sendSpans } from "../../telemetry/send-spans.ts";
import { readTraceSettings, type TraceSettings } from "../../telemetry/trace-settings.ts";

/** Where the request comes from, as far as traces need it. */
export interface TracesContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

export interface TracesWish {
  readonly reader: StoreReader;
  readonly story: string | undefined;
}

/** Writes the traces of everything that has ended, one OTLP request per line, as collectors read them from files. */
export async function writeTraces(
  context: TracesContext,
  { reader, story }: TracesWish,
  folder: string,
): Promise<{ readonly path: string; readonly entries: number }> {
  const path = join(folder, "traces.jsonl");
  const wish = readTraceSettings(context.environment);
  const resource = wish.kind === "on" ? wish.settings.resource : { "service.name": "ambit" };
  const withContent = wish.kind === "on" && wish.settings.withContent;
  async function* chunks(): AsyncGenerator<Chunk> {
    for await (const spans of batchTraces(reader, {
      after: 0,
      story,
      withContent,
      providers: telemetryProviders,
    })) {
      const text = `${JSON.stringify(otlpRequest(spans, { resource, version: context.version }))}\n`;
      yield { text, entries: spans.length };
    }
  }
  return { path, entries: await writeExport(path, chunks()) };
}

/** Sends the same to the collector the environment names; the spans have the ids they had when they were sent live. */
export async function sendTraces(
  context: TracesContext,
  { reader, story }: TracesWish,
): Promise<{ readonly url: string; readonly entries: number }> {
  const settings = usableSettings(context);
  let entries = 0;
  for await (const spans of batchTraces(reader, {
    after: 0,
    story,
    withContent: settings.withContent,
    providers: telemetryProviders,
  })) {
    const result = await sendSpans(spans, { settings, version: context.version });
    if (result.kind !== "sent")
      throw telemetryErrors.notSent(new URL(settings.url).origin, result.reason, entries);
    entries += spans.length;
  }
  return { url: settings.url, entries };
}

function usableSettings({ environment }: TracesContext): TraceSettings {
  const wish = readTraceSettings(environment);
  if (wish.kind === "on") return wish.settings;
  throw telemetryErrors.noEndpoint(wish.kind === "off" ? "no OTLP endpoint is set" : wish.reason);
}
