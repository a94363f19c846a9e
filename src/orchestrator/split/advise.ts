import { lowerDepth } from "./adapt-depth.ts";
import type { Shape } from "./shape.ts";
import type { PlannedPart, ScopeMeeting, SplitFacts, SplitVerdict } from "./split.ts";

export interface Advice {
  readonly verdict: SplitVerdict;
  readonly reasons: readonly string[];
}

interface Findings {
  readonly shape: Shape;
  readonly meetings: readonly ScopeMeeting[];
  /** The number of pairs of parts that were compared. */
  readonly pairs: number;
}

const MIN_PART_HOURS = 1;
const MAX_PART_HOURS = 12;
const MIN_SPLIT_HOURS = 3;

/** Whether dividing is worth it (R195). This is advice; only limits refuse anything. */
export function adviseSplit(facts: SplitFacts, findings: Findings): Advice {
  const alone = listReasonsAgainst(facts, findings);
  if (alone.length > 0) return { verdict: "alone", reasons: alone };
  if (facts.origin === "nobody") return { verdict: "open", reasons: explainOpen(facts) };
  const fewer = listReasonsForFewer(facts, findings);
  if (fewer.length > 0) return { verdict: "fewer", reasons: fewer };
  const { widest } = findings.shape;
  const reason = `${widest} parts can be done at the same time`;
  // An example says nothing about this story; its manager has to decide whether it applies.
  if (facts.origin === "example") return { verdict: "open", reasons: [`in the example ${reason}`] };
  return { verdict: "split", reasons: [reason + remarkOnScopes(facts, findings)] };
}

function listReasonsAgainst(facts: SplitFacts, { shape, meetings, pairs }: Findings): readonly string[] {
  const { limits, parts, storyScope } = facts;
  if (!limits.enabled) return ["delegation is switched off (delegation.enabled)"];
  if (limits.maxDepth === 0 || limits.maxDelegations === 0)
    return ["the limits allow no worker (depth or number is 0)"];
  const file = findOnlyFile(storyScope, parts);
  const hours = shape.hours?.work;
  return [
    ...(file === undefined ? [] : [`everything is in one file (${file})`]),
    ...(parts.length === 1 ? ["it is a single part"] : []),
    ...(parts.length > 1 && shape.widest === 1 ? ["each part waits for the one before it"] : []),
    ...(hours !== undefined && hours < MIN_SPLIT_HOURS
      ? [`it is about ${hours} h of work; delegating pays from ${MIN_SPLIT_HOURS} h`]
      : []),
    ...(pairs > 0 && meetings.length * 2 > pairs ? [describeOverlaps(meetings, pairs)] : []),
  ];
}

function describeOverlaps(meetings: readonly ScopeMeeting[], pairs: number): string {
  const [first] = meetings;
  if (meetings.length === 1 && first !== undefined)
    return `${first.one} and ${first.other} may both change ${first.at}`;
  return `${meetings.length} of ${pairs} pairs of parts may change the same files`;
}

function listReasonsForFewer(facts: SplitFacts, { meetings }: Findings): readonly string[] {
  const { parts, limits } = facts;
  const maxWorkers = Math.min(limits.maxDelegations, limits.fanOut[0]);
  const small = parts.filter(({ hours }) => hours !== null && hours < MIN_PART_HOURS);
  const [meeting] = meetings;
  return [
    ...(parts.length > maxWorkers
      ? [`${parts.length} parts, and at most ${maxWorkers} workers are allowed`]
      : []),
    ...(small.length > 0
      ? [
          `${listNames(small)} below ${MIN_PART_HOURS} h: join ${small.length === 1 ? "it" : "them"} with another part`,
        ]
      : []),
    ...(meeting === undefined
      ? []
      : [`${meeting.one} and ${meeting.other} may both change ${meeting.at}: join them or let one wait`]),
  ];
}

function listNames(parts: readonly PlannedPart[]): string {
  return parts.map(({ name }) => name).join(", ");
}

function explainOpen({ history }: SplitFacts): readonly string[] {
  return history.divided === 0
    ? []
    : [`${history.divided} of ${history.stories} earlier stories were divided`];
}

function remarkOnScopes({ parts }: SplitFacts, { pairs }: Findings): string {
  if (pairs > 0) return ", none changes another's files";
  return parts.length > 1 ? "; the files that each changes are unknown" : "";
}

/** The one file that contains all work, if the scopes say so. */
function findOnlyFile(storyScope: readonly string[], parts: readonly PlannedPart[]): string | undefined {
  const scopes = parts.flatMap(({ scope }) => scope);
  const isEveryScoped = parts.length > 0 && parts.every(({ scope }) => scope.length > 0);
  const all = new Set(isEveryScoped ? scopes : storyScope);
  const [first] = all;
  const isFile = first !== undefined && /\.[A-Za-z0-9]+$/.test(first) && !/[*?{!]/.test(first);
  return all.size === 1 && isFile ? first : undefined;
}

/**
 * Advises how many levels of workers are worth it here (R183), from the size of the parts and from how such workers
 * ended.
 */
export function adviseDepth(facts: SplitFacts, verdict: SplitVerdict) {
  const { limits, parts, history } = facts;
  if (verdict === "alone") return { advised: 0, reason: "one agent is enough" };
  const large = parts.filter(({ hours }) => hours !== null && hours > MAX_PART_HOURS);
  const isCrowded = parts.length > limits.fanOut[0];
  const wish = large.length > 0 || isCrowded ? 2 : 1;
  const lowered = lowerDepth(history.byDepth, wish);
  if (lowered !== undefined) return { advised: lowered.depth, reason: lowered.reason };
  if (wish > limits.maxDepth)
    return { advised: limits.maxDepth, reason: `the limit is ${limits.maxDepth}; divide large parts first` };
  if (wish === 1) return { advised: 1, reason: "no part is large enough to be divided again" };
  const why = isCrowded
    ? "there are more parts than one manager may have"
    : `${listNames(large)} above ${MAX_PART_HOURS} h`;
  return { advised: 2, reason: why };
}
