import { exitCode } from "../../../contract/exit-code.ts";
import { cleanLeftovers, describeOrphan, findLeftovers } from "../../../orchestrator/find-leftovers.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { readStore } from "../../../app/open-project.ts";
import { openWorkspaces } from "../../../app/open-project.ts";

export async function cleanProject(context: CommandContext, dryRun: boolean): Promise<CommandOutcome> {
  const workspaces = await openWorkspaces(context);
  const orphans = await readStore(context, (reader) => findLeftovers(workspaces, reader));
  if (dryRun) return outcome({ removed: [], left: orphans.map(describeOrphan), trees: 0 });
  const { removed, left, trees } = await cleanLeftovers(workspaces, orphans);
  return outcome({ removed: removed.map(describeOrphan), left: left.map(describeOrphan), trees });
}

function outcome(cleaned: { removed: string[]; left: string[]; trees: number }): CommandOutcome {
  const lines = [
    ...cleaned.removed.map((line) => `removed  ${line}`),
    ...cleaned.left.map((line) => `left     ${line}`),
    `${cleaned.removed.length} removed, ${cleaned.left.length} left, ${cleaned.trees} folder(s) deleted`,
  ];
  return { exitCode: exitCode.completed, json: cleaned, text: lines.join("\n") };
}
