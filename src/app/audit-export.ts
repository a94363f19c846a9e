import { resolve, join } from "node:path";
import * as z from "zod";
import { exportJournal, exportKinds } from "../journal/export-journal.ts";
import { exportFolders } from "../journal/store-file.ts";
import { telemetryProviders } from "../agents/agent-programs.ts";
import { telemetryErrors } from "../errors/telemetry.ts";
import { writeExport, type Chunk } from "../journal/write-export.ts";
import type { StoreReader } from "../journal/store.ts";
import { batchTraces } from "../telemetry/batch-traces.ts";
import { tracesRequest } from "../telemetry/otlp-json.ts";
import { sendOtlp } from "../telemetry/send-otlp.ts";
import { readOtlpSettings, type OtlpSettings } from "../telemetry/otlp-settings.ts";
import { findTarget } from "./project/find-target.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const kinds = [...exportKinds, "otlp"] as const;

const input = () =>
  z.strictObject({
    story: z.string().default("").describe("Only this story; everything by default"),
    kind: z.enum([...kinds, "all"]),
    folder: z.string().optional().describe("Where the files go; below .git/ambit by default"),
    send: z.boolean().default(false).describe("Send traces to the collector the environment names"),
  });

const output = () =>
  z.looseObject({
    exported: z.array(z.looseObject({ kind: z.enum(kinds), path: z.string(), entries: z.int() })),
    sent: z.looseObject({ kind: z.literal("otlp"), url: z.string(), entries: z.int() }).optional(),
  });

export type AuditExport = z.output<ReturnType<typeof output>>;

/** Writes the journal in shapes that other tools read, or sends its traces. */
export const auditExportUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word, kind, folder, send }) =>
    readStore(context, async (reader, project) => {
      const target = word === "" ? undefined : await findTarget(reader, word);
      if (reader === undefined) return { exported: [] };
      const story = target?.story.id;
      if (send)
        return { exported: [], sent: { kind: "otlp", ...(await sendTraces(context, { reader, story })) } };
      const place = folder === undefined ? undefined : resolve(context.directory, folder);
      const folders = place === undefined ? exportFolders(project.root) : { logs: place, graphs: place };
      const wanted = exportKinds.filter((one) => kind === "all" || kind === one);
      const files: AuditExport["exported"] = (
        await exportJournal({ reader, kinds: wanted, story, folders })
      ).map((file) => ({ kind: file.kind, path: file.path, entries: file.entries }));
      if (kind === "otlp" || kind === "all")
        files.push({ kind: "otlp", ...(await writeTraces(context, { reader, story }, folders.logs)) });
      return { exported: files };
    }),
});

/** Where the request comes from, as far as traces need it. */
interface TracesContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

interface TracesWish {
  readonly reader: StoreReader;
  readonly story: string | undefined;
}

/** Writes the traces of everything that has ended, one OTLP request per line, as collectors read them from files. */
async function writeTraces(
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
async function sendTraces(
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
