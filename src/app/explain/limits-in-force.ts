import { groupDigits } from "../../base/group-digits.ts";
import { limitsFromConfig } from "../../contract/config-limits.ts";
import type { Limits } from "../../contract/limits.ts";
import { findStorySetting } from "../../contract/story-setting.ts";
import { resolveConfig } from "../../config/load-config.ts";
import { formatOrigin, type ResolvedConfig } from "../../config/resolved-config.ts";
import type { Delegation, Story } from "../../journal/store.ts";
import { formatSpent, formatUsd } from "../../base/money.ts";
import type { AppContext } from "../project/app-context.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { configInput } from "../project/config-input.ts";

/** One limit as people read it: what is used, what is allowed, and who said so. */
export interface LimitInForce {
  readonly limit: string;
  readonly used: string | null;
  readonly allowed: string;
  readonly origin: string;
}

/** The limits that apply to this work, fixed when its story began; each with its origin. */
export async function limitsInForce(
  context: AppContext,
  story: Story,
  delegation: Delegation,
): Promise<readonly LimitInForce[]> {
  const result = await resolveConfig(configInput(context));
  const config = result.ok ? result.config : undefined;
  const { limits, kind } = story;
  const origin = (name: keyof Limits, key: string): string => originOf(config, story, { name, key });
  const { depth, workers, timeoutSeconds, durationMs, contextTokens, money, tokens } = delegation;
  const fanOut = limits.fanOut[Math.min(depth, 2)] ?? 0;
  const ownTime = timeoutSeconds !== limits.timeoutSeconds;
  const depthKey = kind === "workflow" ? "delegation.workflowMaxDepth" : "delegation.maxDepth";
  return [
    ...(limits.enabled ? [] : [line("may delegate", null, ["no", origin("enabled", "delegation.enabled")])]),
    line("depth", String(depth), [String(limits.maxDepth), origin("maxDepth", depthKey)]),
    line("delegations of the story", String(story.delegations), [
      String(limits.maxDelegations),
      origin("maxDelegations", "delegation.maxDelegationsPerStory"),
    ]),
    line("workers of its own", String(workers), [
      String(fanOut),
      origin("fanOut", `delegation.fanOut.depth${Math.min(depth, 2)}`),
    ]),
    line("time", durationMs === null ? null : renderDuration(durationMs), [
      renderDuration(timeoutSeconds * 1000),
      ownTime ? SET_FOR_IT : origin("timeoutSeconds", "delegation.parallel.timeoutSeconds"),
    ]),
    line("silence", null, [
      renderDuration(limits.idleStopSeconds * 1000),
      origin("idleStopSeconds", "delegation.idle.stopSeconds"),
    ]),
    ...(limits.maxTurns === null
      ? []
      : [line("tool calls", null, [String(limits.maxTurns), origin("maxTurns", "delegation.maxTurns")])]),
    line("cost", formatSpent(money.spent, tokens.spent), moneyLimit(delegation, story, origin)),
    ...(tokens.limit === null
      ? []
      : [line("tokens", groupDigits(tokens.spent), [groupDigits(tokens.limit), SET_FOR_IT])]),
    // What an agent reports about its own context is known while it works, and not kept.
    line("context tokens", contextTokens === 0 ? null : groupDigits(contextTokens), [
      groupDigits(limits.maxContextTokens),
      origin("maxContextTokens", "delegation.maxContextPerAgent"),
    ]),
    line("workers at once", null, [
      String(limits.maxConcurrent),
      origin("maxConcurrent", concurrentKey(story)),
    ]),
    ...retryLine(story),
  ];
}

/** `parallel.enabled: false` means one at a time, whatever the other setting says. */
function concurrentKey({ settings }: Story): string {
  const isOff = findStorySetting(settings, "delegation.parallel.enabled")?.value === false;
  return isOff ? "delegation.parallel.enabled" : "delegation.parallel.maxConcurrent";
}

const DEFAULT_ATTEMPTS = 3;

/** Whether a failed delegation of the story is tried again. */
function retryLine({ settings }: Story): readonly LimitInForce[] {
  if (settings === null) return [];
  const enabled = findStorySetting(settings, "delegation.retry.enabled");
  const most = findStorySetting(settings, "delegation.retry.maxAttempts");
  const allowed = enabled?.value === true ? String(most?.value ?? DEFAULT_ATTEMPTS) : "1";
  return [line("attempts after failures", null, [allowed, enabled?.origin ?? "default"])];
}

const SET_FOR_IT = "set for this work";

function line(
  limit: string,
  used: string | null,
  [allowed, origin]: readonly [string, string],
): LimitInForce {
  return { limit, used, allowed, origin };
}

/** A worker's slice is lent by its manager; a story's own comes from its request or from the settings. */
function moneyLimit(
  { money, parent }: Delegation,
  { limits }: Story,
  origin: (name: keyof Limits, key: string) => string,
): readonly [string, string] {
  if (money.limit === null) return ["none", origin("storyMicroUsd", "delegation.cost.perStoryUsd")];
  const allowed = formatUsd(money.limit);
  if (parent !== null) return [allowed, "lent by its manager"];
  const isSetting = money.limit === limits.storyMicroUsd;
  return [allowed, isSetting ? origin("storyMicroUsd", "delegation.cost.perStoryUsd") : SET_FOR_IT];
}

/** A story of an older version did not keep its settings: if they have changed since, only the limit itself is known. */
function originOf(
  config: ResolvedConfig | undefined,
  { limits, kind, settings }: Story,
  { name, key }: { readonly name: keyof Limits; readonly key: string },
): string {
  if (settings !== null) return findStorySetting(settings, key)?.origin ?? "default";
  if (config === undefined) return "settings of that time";
  const now = limitsFromConfig(config.values, kind);
  if (JSON.stringify(now[name]) !== JSON.stringify(limits[name])) return "set when the story began";
  const entry = config.entries.find((candidate) => candidate.key === key);
  return entry === undefined ? "default" : formatOrigin(entry.origin);
}
