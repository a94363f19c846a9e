import type { Approval, Delegation, Story } from "../../journal/store.ts";
import { buildCost } from "../../reports/cost.ts";
import { stateWord, type CostSource, type ShownState } from "../../reports/story-view.ts";
import { buildStatus } from "../../reports/status.ts";
import { canGoOn } from "../project/find-driver.ts";
import type { StorySummary } from "./types/story.ts";

export interface StoryFacts {
  readonly story: Story;
  /** The whole tree, the story's own first. */
  readonly delegations: readonly Delegation[];
  /** Open questions of the project; those of other runs are passed over. */
  readonly approvals: readonly Approval[];
}

/** One run in a list. */
export function summarizeStory({ story, delegations, approvals }: StoryFacts): StorySummary {
  const root = delegations.find(({ depth }) => depth === 0);
  const status = buildStatus(story, delegations);
  const { total } = buildCost(story, delegations);
  const questions = approvals.filter((approval) => approval.story === story.id);
  const isOpen = root?.outcome === null;
  const needsYou = questions.length + (isOpen ? status.groups.needsYou.length : 0);
  const state = needsYou > 0 && isOpen ? "needs you" : readRootState(root);
  return {
    id: story.id,
    kind: story.kind,
    title: story.title,
    group: needsYou > 0 ? "needsYou" : isOpen ? "working" : "done",
    state,
    stateWord: stateWord(state),
    code: root?.code ?? null,
    summary: root?.summary ?? "",
    agent: root?.agent ?? "",
    workers: status.delegations,
    ended: status.ended,
    needsYou,
    canGoOn: canGoOn(delegations, new Set(questions.map(({ delegation }) => delegation))),
    microUsd: total.microUsd,
    limitMicroUsd: root?.money.limit ?? null,
    costSource: delegations.some(isSimulated) ? "simulated" : judgeCostSource(total),
    tokens: total.tokensIn + total.tokensOut,
    openedAtMs: parseTime(story.openedAt),
    endedAtMs: parseTime(root?.closedAt ?? null),
  };
}

function readRootState(root: Delegation | undefined): ShownState {
  if (root === undefined) return "queued";
  if (root.state === "closed") return root.outcome ?? "ended";
  return root.cancelRequested ? "stopping" : root.state;
}

/** Usage of the built-in scripted worker is simulated, even where it reports otherwise. */
function isSimulated({ work, inputTokens, outputTokens, microUsd }: Delegation): boolean {
  return work?.adapter === "scripted" && inputTokens + outputTokens + microUsd > 0;
}

function judgeCostSource(total: {
  readonly isEstimated: boolean;
  readonly unpricedTokens: number;
}): CostSource {
  if (total.unpricedTokens > 0) return "unpriced";
  return total.isEstimated ? "estimated" : "reported";
}

/** Milliseconds of a stored time; null for none. */
export function parseTime(at: string | null): number | null {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}
