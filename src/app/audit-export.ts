import { resolve } from "node:path";
import * as z from "zod";
import { exportJournal, exportKinds } from "../journal/export-journal.ts";
import { exportFolders } from "../journal/store-file.ts";
import { sendTraces, writeTraces } from "./audit/export-traces.ts";
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
