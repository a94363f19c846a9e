import type { Delegation, Story } from "../../journal/store.ts";
import { buildCost } from "../../reports/cost.ts";
import { lessSure, type StoryNode } from "../../reports/story-view.ts";
import type { ModelUse } from "./cost-tally.ts";
import type { LiveStory } from "./live-story.ts";
import type { AgentCost, BurnPoint, CostShare, ModelCost, StoryCost } from "./types/cost.ts";

const MAX_POINTS = 400;

/** The cost of a story: the sums of the report, and where and when they arose. */
export function buildStoryCost(
  view: LiveStory,
  { story, delegations }: { readonly story: Story; readonly delegations: readonly Delegation[] },
  nowMs: number,
): StoryCost {
  const report = buildCost(story, delegations);
  const { total } = report;
  const uses = view.costs.uses;
  return {
    seq: view.lastSeq,
    microUsd: total.microUsd,
    budgetMicroUsd: view.root.limits.microUsd,
    alertMicroUsd: report.alert.thresholdMicroUsd,
    isAlert: report.alert.isExceeded,
    source: uses.map(({ source }) => source).reduce(lessSure, "reported"),
    tokensIn: total.tokensIn,
    tokensOut: total.tokensOut,
    unpricedTokens: total.unpricedTokens,
    compared:
      total.compared === null
        ? null
        : {
            reportedMicroUsd: total.compared.reportedMicroUsd,
            listMicroUsd: total.compared.estimatedMicroUsd,
          },
    overhead: report.overhead,
    timeSaved: report.timeSaved,
    depths: report.depths,
    shares: uses.flatMap((use) => describeShare(view.findNode(use.node), use)).toSorted(compareMoney),
    byAgent: sumByAgent(view, uses),
    byModel: sumByModel(uses),
    burn: buildBurnDown(view, nowMs),
  };
}

/** The usage of one node by model, most expensive first. */
export function sumByModel(uses: readonly ModelUse[]): readonly ModelCost[] {
  const sums = new Map<string, ModelCost>();
  for (const { model, microUsd, tokens, source } of uses) {
    const before = sums.get(model) ?? { model, microUsd: 0, tokens: 0, source };
    sums.set(model, {
      model,
      microUsd: before.microUsd + microUsd,
      tokens: before.tokens + tokens,
      source: lessSure(before.source, source),
    });
  }
  return [...sums.values()].toSorted(compareMoney);
}

function sumByAgent(view: LiveStory, uses: readonly ModelUse[]): readonly AgentCost[] {
  const nodesOf = new Map<string, Set<string>>();
  const sums = new Map<string, AgentCost>();
  for (const { node, microUsd, tokens, source } of uses) {
    const agent = view.findNode(node)?.agent ?? "";
    const nodes = nodesOf.get(agent) ?? new Set();
    nodesOf.set(agent, nodes.add(node));
    const before = sums.get(agent);
    sums.set(agent, {
      agent,
      delegations: nodes.size,
      microUsd: (before?.microUsd ?? 0) + microUsd,
      tokens: (before?.tokens ?? 0) + tokens,
      source: lessSure(before?.source ?? source, source),
    });
  }
  return [...sums.values()].toSorted(compareMoney);
}

function describeShare(node: StoryNode | undefined, use: ModelUse): readonly CostShare[] {
  if (node === undefined) return [];
  const { label, title, agent } = node;
  const { model, microUsd, tokens, source } = use;
  return [{ node: node.id, label, title, agent, model, microUsd, tokens, source }];
}

function compareMoney(one: { readonly microUsd: number }, other: { readonly microUsd: number }): number {
  return other.microUsd - one.microUsd;
}

/** From nothing at its beginning to now, or to its end. */
function buildBurnDown(view: LiveStory, nowMs: number): readonly BurnPoint[] {
  const { points } = view.costs;
  const { openedAtMs, endedAtMs } = view.root;
  const step = Math.max(1, Math.ceil(points.length / (MAX_POINTS - 2)));
  const kept = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  const first = openedAtMs ?? kept[0]?.atMs ?? nowMs;
  const last = kept.at(-1);
  return [
    { atMs: first, microUsd: 0 },
    ...kept.slice(-(MAX_POINTS - 2)),
    { atMs: Math.max(endedAtMs ?? nowMs, last?.atMs ?? first), microUsd: last?.microUsd ?? 0 },
  ];
}
