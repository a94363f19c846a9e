import { relative, resolve } from "node:path";
import { exitCode } from "../../../contract/exit-code.ts";
import { exportJournal, exportKinds, type ExportedFile } from "../../../journal/export-journal.ts";
import { exportFolders } from "../../../journal/store-file.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import type { TracesWish } from "./export-traces.ts";

export function exportAudit(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader, project) => {
    const word = invocation.argument("story");
    const target = word === "" ? undefined : await findTarget(reader, word);
    if (reader === undefined) return exportOutcome([], nothingYet);
    const asked = invocation.option("export");
    const out = invocation.option("out");
    const folder = out === undefined ? undefined : resolve(context.directory, out);
    const folders = folder === undefined ? exportFolders(project.root) : { logs: folder, graphs: folder };
    const story = target?.story.id;
    if (invocation.flag("send")) return sendOutcome(context, { reader, story });
    const files: Exported[] = [
      ...(await exportJournal({
        reader,
        kinds: exportKinds.filter((kind) => asked === "all" || asked === kind),
        story,
        folders,
      })),
    ];
    if (asked === "otlp" || asked === "all") {
      const { writeTraces } = await import("./export-traces.ts");
      files.push({ kind: "otlp", ...(await writeTraces(context, { reader, story }, folders.logs)) });
    }
    return exportOutcome(files, files.map((file) => describe(file, context)).join("\n"));
  });
}

async function sendOutcome(context: CommandContext, wish: TracesWish): Promise<CommandOutcome> {
  const { sendTraces } = await import("./export-traces.ts");
  const { url, entries } = await sendTraces(context, wish);
  const message = `${entries} spans sent to ${new URL(url).origin}`;
  return {
    exitCode: exitCode.completed,
    json: { exported: [], sent: { kind: "otlp", url, entries } },
    text: renderVerdict({ ok: true, message }, context),
  };
}

type Exported = Omit<ExportedFile, "kind"> & { readonly kind: ExportedFile["kind"] | "otlp" };

function exportOutcome(files: readonly Exported[], text: string): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { exported: files.map(({ kind, path, entries }) => ({ kind, path, entries })) },
    text,
  };
}

const nouns = { jsonl: "lines", graph: "nodes", depth: "agents", otlp: "spans" } as const;

function describe({ kind, path, entries }: Exported, context: CommandContext): string {
  const shown = relative(context.directory, path);
  const message = `${shown.startsWith("..") ? path : shown}: ${entries} ${nouns[kind]}`;
  return renderVerdict({ ok: true, message }, context);
}
