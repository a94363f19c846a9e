import { isRecord } from "../../base/json.ts";
import { costSources, lessSure, type SeenEvent, type StoryNode } from "../../reports/story-view.ts";
import type { BurnPoint } from "./types/cost.ts";
import type { CostSource } from "./types/common.ts";

/** The usage of one node with one model. */
export interface ModelUse {
  readonly node: string;
  readonly model: string;
  readonly microUsd: number;
  readonly tokens: number;
  readonly source: CostSource;
}

const MAX_POINTS = 800;

/** Money by node and model, and its growth over time. */
export class CostTally {
  readonly #uses = new Map<string, ModelUse>();
  #points: BurnPoint[] = [];
  #microUsd = 0;

  get uses(): readonly ModelUse[] {
    return [...this.#uses.values()];
  }

  /** As it grew; of a long story not every step, but always the newest. */
  get points(): readonly BurnPoint[] {
    return this.#points;
  }

  addEvent(event: SeenEvent, node: StoryNode | undefined): void {
    if (event.type !== "usage-reported" || node === undefined || !isRecord(event.data)) return;
    const { data } = event;
    const model = typeof data["model"] === "string" ? data["model"] : node.model;
    const microUsd = readAmount(data["microUsd"]);
    const tokens =
      readAmount(data["inputTokens"]) + readAmount(data["cachedTokens"]) + readAmount(data["outputTokens"]);
    const source = costSources.find((name) => name === data["source"]) ?? "estimated";
    const key = `${node.id}\n${model}`;
    const before = this.#uses.get(key);
    this.#uses.set(key, {
      node: node.id,
      model,
      microUsd: (before?.microUsd ?? 0) + microUsd,
      tokens: (before?.tokens ?? 0) + tokens,
      source: lessSure(before?.source ?? source, source),
    });
    this.#microUsd += microUsd;
    this.#note(Date.parse(event.at));
  }

  #note(atMs: number): void {
    if (Number.isNaN(atMs)) return;
    this.#points.push({ atMs, microUsd: this.#microUsd });
    if (this.#points.length <= MAX_POINTS) return;
    const last = this.#points.length - 1;
    this.#points = this.#points.filter((_, index) => index % 2 === 0 || index === last);
  }
}

/** A value that is not an amount counts as zero: an event of a later version must not spoil a sum. */
function readAmount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
