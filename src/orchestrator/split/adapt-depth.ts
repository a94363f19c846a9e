import type { ResolvedConfig } from "../../config/resolved-config.ts";
import type { ConfigValues } from "../../contract/config.ts";
import { hardCaps } from "../../contract/limits.ts";
import type { StoreReader } from "../../journal/store.ts";
import { readHistory } from "./history.ts";
import type { DepthResults } from "./split.ts";

/** How a story's depth may follow the results of earlier stories. */
export interface DepthPolicy {
  readonly mode: ConfigValues["delegation"]["adaptDepth"];
  /** Whether the person gave the depth for this very story: then it stays as it is. */
  readonly isGiven: boolean;
}

export interface AdaptedDepth {
  readonly depth: number;
  readonly reason: string;
}

const KEY = "delegation.maxDepth";
const storyLayers: ReadonlySet<string> = new Set(["flag", "environment", "story"]);

export function readDepthPolicy({ values, entries }: ResolvedConfig): DepthPolicy {
  const layer = entries.find(({ key }) => key === KEY)?.origin.layer ?? "default";
  return { mode: values.delegation.adaptDepth, isGiven: storyLayers.has(layer) };
}

/** The depth that earlier stories suggest; undefined if it stays as it is (R183). */
export async function findAdaptedDepth(
  reader: StoreReader | undefined,
  policy: DepthPolicy,
  maxDepth: number,
): Promise<AdaptedDepth | undefined> {
  if (reader === undefined || policy.isGiven || policy.mode === "off" || maxDepth === 0) return undefined;
  if (policy.mode === "lower" && maxDepth === MIN_DEPTH) return undefined;
  const { byDepth } = await readHistory(reader);
  const lowered = lowerDepth(byDepth, maxDepth);
  if (lowered !== undefined || policy.mode !== "both") return lowered;
  const isRaisable = maxDepth < hardCaps.maxDepth && isProven(byDepth, maxDepth);
  return isRaisable
    ? raiseDepth({ byDepth, maxDepth, refusals: await countDepthRefusals(reader) })
    : undefined;
}

const MIN_DEPTH = 1;
const MIN_SAMPLES = 5;
const MIN_DIFFERENCE = 0.2;

/**
 * Lowers the depth to the level above the first one whose workers clearly completed less often than those above them.
 * Stories with the lower depth add no such workers, so after some of them the level is tried again.
 */
export function lowerDepth(byDepth: readonly DepthResults[], maxDepth: number): AdaptedDepth | undefined {
  for (let depth = MIN_DEPTH + 1; depth <= maxDepth; depth += 1) {
    const here = findResults(byDepth, depth);
    const above = findResults(byDepth, depth - 1);
    const isWorse =
      here.ended >= MIN_SAMPLES && completionShare(here) + MIN_DIFFERENCE <= completionShare(above);
    if (isWorse)
      return {
        depth: depth - 1,
        reason: `at depth ${depth} only ${countWords(here)} completed, at depth ${depth - 1} ${countWords(above)}`,
      };
  }
  return undefined;
}

const MIN_PROVEN_SHARE = 0.8;
const MIN_REFUSALS = 3;

interface Raising {
  readonly byDepth: readonly DepthResults[];
  readonly maxDepth: number;
  /** Requests that the depth limit refused. */
  readonly refusals: number;
}

/** Raises the depth by one level if the deepest level works well and its workers wanted to delegate further. */
export function raiseDepth({ byDepth, maxDepth, refusals }: Raising): AdaptedDepth | undefined {
  if (maxDepth >= hardCaps.maxDepth || !isProven(byDepth, maxDepth) || refusals < MIN_REFUSALS)
    return undefined;
  const done = countWords(findResults(byDepth, maxDepth));
  return {
    depth: maxDepth + 1,
    reason: `at depth ${maxDepth} ${done} completed, and ${refusals} deeper requests were refused`,
  };
}

function isProven(byDepth: readonly DepthResults[], depth: number): boolean {
  const results = findResults(byDepth, depth);
  return results.ended >= MIN_SAMPLES && completionShare(results) >= MIN_PROVEN_SHARE;
}

const MAX_EVENTS = 2000;

async function countDepthRefusals(reader: StoreReader): Promise<number> {
  const events = await reader.newestEvents(MAX_EVENTS);
  return events.filter(({ body }) => body.includes(REFUSED) && body.includes(TOO_DEEP)).length;
}

const REFUSED = '"type":"delegation-refused"';
const TOO_DEEP = '"MAX_DEPTH_EXCEEDED"';

function findResults(byDepth: readonly DepthResults[], depth: number): DepthResults {
  return byDepth.find((one) => one.depth === depth) ?? { depth, ended: 0, completed: 0 };
}

function completionShare({ ended, completed }: DepthResults): number {
  return ended === 0 ? 1 : completed / ended;
}

function countWords({ ended, completed }: DepthResults): string {
  return `${completed} of ${ended} workers`;
}
