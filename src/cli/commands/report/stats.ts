import { loadConfig } from "../../../config/load-config.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { emptyTotals } from "../../../reports/empty-totals.ts";
import { buildStats } from "../../../reports/stats.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { renderFigures } from "../../render/figures.ts";
import { readStore } from "../../../app/open-project.ts";

export function showStats(context: CommandContext): Promise<CommandOutcome> {
  return readStore(context, async (reader, { root }) => {
    const { environment, homeDirectory, configFile } = context;
    const config = await loadConfig({ projectRoot: root, environment, homeDirectory, configFile });
    for (const warning of config.warnings) context.warn(warning);
    const stats = buildStats((await reader?.totals()) ?? emptyTotals, config.values.delegation.maxDepth);
    return { exitCode: exitCode.completed, json: { ...stats }, text: renderFigures({ ...stats }) };
  });
}
