import type { ConfigProblem } from "../model/config-problem.ts";
import { layers, formatOrigin } from "../model/resolved-config.ts";
import { parseRule } from "./access-control.ts";
import type { Setting } from "./setting.ts";

type Winners = ReadonlyMap<string, Setting>;

/** Finds settings that are valid on their own and contradict each other. */
export function findContradictions(winners: Winners): readonly ConfigProblem[] {
  return [...idleOrder(winners), ...budgetOrder(winners), ...delegatorsBelowLimit(winners)];
}

function idleOrder(winners: Winners): readonly ConfigProblem[] {
  const warn = winners.get("delegation.idle.warnSeconds");
  const stop = winners.get("delegation.idle.stopSeconds");
  if (warn === undefined || stop === undefined || readNumber(stop) > readNumber(warn)) return [];
  // Reported at the configured one, because the other may be a default.
  const [blamed, other] = isStronger(warn, stop) ? [warn, stop] : [stop, warn];
  const relation = blamed === stop ? "it must be above" : "it must be below";
  return [buildContradiction(blamed, `is ${readNumber(blamed)}; ${relation} ${describeSetting(other)}`)];
}

/**
 * A story budget from a stronger layer may be smaller; a delegation budget from the same or a stronger layer must fit
 * into it.
 */
function budgetOrder(winners: Winners): readonly ConfigProblem[] {
  const story = winners.get("delegation.cost.perStoryUsd");
  const delegation = winners.get("delegation.cost.perDelegationUsd");
  if (typeof story?.value !== "number" || typeof delegation?.value !== "number") return [];
  if (delegation.value <= story.value || isStronger(story, delegation)) return [];
  return [
    buildContradiction(delegation, `is ${delegation.value}; it cannot be above ${describeSetting(story)}`),
  ];
}

/** `can_delegate: true` contradicts the depth limit, unless a stronger layer lowered the limit. */
function delegatorsBelowLimit(winners: Winners): readonly ConfigProblem[] {
  const limits = ["delegation.maxDepth", "delegation.workflowMaxDepth"].flatMap((key) => {
    const winner = winners.get(key);
    return winner === undefined ? [] : [winner];
  });
  const deepest = limits.toSorted((left, right) => readNumber(right) - readNumber(left))[0];
  if (deepest === undefined) return [];
  return [...winners.values()].flatMap((claim) => {
    const rule = parseRule(claim);
    const claims = rule?.name === "can_delegate" && claim.value === true && rule.depth >= readNumber(deepest);
    const lowered = limits.some((limit) => isStronger(limit, claim));
    if (!claims || lowered) return [];
    return [
      buildContradiction(
        claim,
        `is true, but agents at depth ${rule.depth} cannot delegate: ${describeSetting(deepest)}`,
      ),
    ];
  });
}

function buildContradiction({ key, origin }: Setting, reason: string): ConfigProblem {
  return { code: "CONFIG_CONTRADICTION", key, origin, reason };
}

function describeSetting(setting: Setting): string {
  return `${setting.key}, which is ${readNumber(setting)} (${formatOrigin(setting.origin)})`;
}

function isStronger(left: Setting, right: Setting): boolean {
  return layers.indexOf(left.origin.layer) < layers.indexOf(right.origin.layer);
}

function readNumber(setting: Setting): number {
  return typeof setting.value === "number" ? setting.value : Number.NaN;
}
