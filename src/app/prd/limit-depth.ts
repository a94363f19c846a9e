import { loadConfig } from "../../config/load-config.ts";
import { parseDecimal } from "../../contract/lenient.ts";
import type { Prd } from "../../contract/story.ts";
import { configInput } from "../project/config-input.ts";
import type { AppContext } from "../project/app-context.ts";
import type { StoryOptions } from "../run/story-input.ts";

/**
 * A file that was delegated (`metadata.delegationDepth`, or DELEGATION_DEPTH in the shell) has used that many levels: its
 * stories may delegate only as deep as is left (R84).
 */
export async function limitDepth(
  context: AppContext,
  { metadata }: Prd,
  options: StoryOptions,
): Promise<StoryOptions> {
  const told = parseDecimal(context.environment["DELEGATION_DEPTH"] ?? "") ?? 0;
  const used = Math.max(metadata?.delegationDepth ?? 0, Math.trunc(told));
  if (used <= 0) return options;
  const { values } = await loadConfig(configInput(context));
  const allowed = options.flags?.maxDepth ?? values.delegation.maxDepth;
  return { ...options, flags: { ...options.flags, maxDepth: Math.max(0, allowed - used) } };
}
