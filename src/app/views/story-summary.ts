import { cutDetails } from "../../base/cut-details.ts";
import type { Approval, Delegation, OutlinedDelegation, Story, StoryUse } from "../../journal/store.ts";
import { stateWord, type CostSource, type ShownState } from "../../reports/story-view.ts";
import { buildStatus } from "../../reports/status.ts";
import { canGoOn } from "../project/find-driver.ts";
import type { StorySummary } from "./types/story.ts";

export interface StoryFacts {
  readonly story: Story;
  /** The story's own delegation. */
  readonly root: Delegation | undefined;
  /** The whole tree of a story with open work; of others, the root is enough. */
  readonly delegations: readonly OutlinedDelegation[];
  readonly use: StoryUse;
  /** Open questions of the project; those of other runs are passed over. */
  readonly approvals: readonly Approval[];
}

/** One run in a list. */
export function summarizeStory({ story, root, delegations, use, approvals }: StoryFacts): StorySummary {
  const questions = approvals.filter((approval) => approval.story === story.id);
  const isOpen = root?.outcome === null;
  const needsYou = questions.length + (isOpen ? buildStatus(story, delegations).groups.needsYou.length : 0);
  const state = needsYou > 0 && isOpen ? "needs you" : readRootState(root);
  return {
    id: story.id,
    kind: story.kind,
    title: story.title,
    group: needsYou > 0 ? "needsYou" : isOpen ? "working" : "done",
    state,
    stateWord: stateWord(state),
    code: root?.code ?? null,
    summary: cutDetails(root?.summary ?? ""),
    agent: root?.agent ?? "",
    workers: use.workers,
    ended: use.ended,
    needsYou,
    canGoOn: canGoOn(delegations, new Set(questions.map(({ delegation }) => delegation))),
    microUsd: use.microUsd,
    limitMicroUsd: root?.money.limit ?? null,
    costSource: judgeCostSource(use),
    tokens: use.tokens,
    openedAtMs: parseTime(story.openedAt),
    endedAtMs: parseTime(root?.closedAt ?? null),
  };
}

function readRootState(root: Delegation | undefined): ShownState {
  if (root === undefined) return "queued";
  if (root.state === "closed") return root.outcome ?? "ended";
  return root.cancelRequested ? "stopping" : root.state;
}

function judgeCostSource({ isSimulated, unpricedTokens, isEstimated }: StoryUse): CostSource {
  if (isSimulated) return "simulated";
  if (unpricedTokens > 0) return "unpriced";
  return isEstimated ? "estimated" : "reported";
}

/** Milliseconds of a stored time; null for none. */
export function parseTime(at: string | null): number | null {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}
