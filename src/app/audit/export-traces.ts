import { join } from "node:path";
import { telemetryProviders } from "../../agents/agent-programs.ts";
import { telemetryErrors } from "../../errors/telemetry.ts";
import { writeExport, type Chunk } from "../../journal/write-export.ts";
import type { StoreReader } from "../../journal/store.ts";
import { batchTraces } from "../../telemetry/batch-traces.ts";
import { tracesRequest } from "../../telemetry/otlp-json.ts";
import { sendOtlp } from "../../telemetry/send-otlp.ts";
import { readOtlpSettings, type OtlpSettings } from "../../telemetry/otlp-settings.ts";

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
  const wish = readOtlpSettings(context.environment, "traces");
  const resource = wish.kind === "on" ? wish.settings.resource : { "service.name": "ambit" };
  const withContent = wish.kind === "on" && wish.settings.withContent;
  async function* chunks(): AsyncGenerator<Chunk> {
    for await (const spans of batchTraces(reader, {
      after: 0,
      story,
      withContent,
      providers: telemetryProviders,
    })) {
      const text = `${JSON.stringify(tracesRequest(spans, { resource, version: context.version }))}\n`;
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
    const request = tracesRequest(spans, { ...settings, version: context.version });
    const result = await sendOtlp(request, { settings });
    if (result.kind !== "sent")
      throw telemetryErrors.notSent(new URL(settings.url).origin, result.reason, entries);
    entries += spans.length;
  }
  return { url: settings.url, entries };
}

function usableSettings({ environment }: TracesContext): OtlpSettings {
  const wish = readOtlpSettings(environment, "traces");
  if (wish.kind === "on") return wish.settings;
  throw telemetryErrors.noEndpoint(wish.kind === "off" ? "no OTLP endpoint is set" : wish.reason);
}
