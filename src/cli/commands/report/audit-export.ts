import { relative, resolve } from "node:path";
import { exitCode } from "../../../contract/exit-code.ts";
import { exportJournal, exportKinds, type ExportedFile } from "../../../journal/export-journal.ts";
import { exportFolders } from "../../../journal/store-file.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { findTarget } from "./find-target.ts";
import { nothingYet, readStore } from "./project-store.ts";

export function exportAudit(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  return readStore(context, async (reader, project) => {
    const word = invocation.argument("story");
    const target = word === "" ? undefined : await findTarget(reader, word);
    if (reader === undefined) return exportOutcome([], nothingYet);
    const asked = invocation.option("export");
    const out = invocation.option("out");
    const folder = out === undefined ? undefined : resolve(context.directory, out);
    const files = await exportJournal({
      reader,
      kinds: exportKinds.filter((kind) => asked === "all" || asked === kind),
      story: target?.story.id,
      folders: folder === undefined ? exportFolders(project.root) : { logs: folder, graphs: folder },
    });
    return exportOutcome(files, files.map((file) => describe(file, context)).join("\n"));
  });
}

function exportOutcome(files: readonly ExportedFile[], text: string): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { exported: files.map(({ kind, path, entries }) => ({ kind, path, entries })) },
    text,
  };
}

const nouns = { jsonl: "lines", graph: "nodes", depth: "agents" } as const;

function describe({ kind, path, entries }: ExportedFile, context: CommandContext): string {
  const shown = relative(context.directory, path);
  const message = `${shown.startsWith("..") ? path : shown}: ${entries} ${nouns[kind]}`;
  return renderVerdict({ ok: true, message }, context);
}
