import * as z from "zod";
import { loadConfig } from "../config/load-config.ts";
import { emptyTotals } from "../reports/empty-totals.ts";
import { buildStats } from "../reports/stats.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const output = () =>
  z.looseObject({
    total_delegations: z.int(),
    max_depth_seen: z.int(),
    active_delegations: z.int(),
    max_allowed_depth: z.int(),
  });

/** How many delegations there were, how deep, how many are open, and the depth allowed today. */
export const statsUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output,
  isReadOnly: true,
  run: (context) =>
    readStore(context, async (reader, { root }) => {
      const { environment, homeDirectory, configFile } = context;
      const config = await loadConfig({ projectRoot: root, environment, homeDirectory, configFile });
      for (const warning of config.warnings) context.warn(warning);
      const totals = (await reader?.totals()) ?? emptyTotals;
      return { ...buildStats(totals, config.values.delegation.maxDepth) };
    }),
});
