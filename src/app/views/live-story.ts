import { setImmediate as breathe } from "node:timers/promises";
import { isRecord, parseJson } from "../../base/json.ts";
import type { StoreReader } from "../../journal/store.ts";
import {
  type StoryNode,
  type StoryView,
  emptyView,
  readSeenEvent,
  findRootNode,
  seeEvent,
  type SeenEvent,
} from "../../reports/story-view.ts";
import { CostTally } from "./cost-tally.ts";
import { TimelineBuilder } from "./timeline-builder.ts";

const PAGE = 1000;

/**
 * One run as its events tell it, kept up to date by reading only what is new. Where the terminal's view makes a new map
 * for each event, this one changes its own: a run of a hundred thousand events is read in about a second.
 */
export class LiveStory {
  readonly story: string;
  readonly costs = new CostTally();
  readonly timeline = new TimelineBuilder();
  readonly #nodes = new Map<string, StoryNode>();
  readonly #estimatedMs = new Map<string, number>();
  #lastSeq = 0;
  #reading: Promise<void> | undefined;

  constructor(story: string) {
    this.story = story;
    for (const [id, findNode] of emptyView(story).nodes) this.#nodes.set(id, findNode);
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  get root(): StoryNode {
    return findRootNode(this.view);
  }

  get view(): StoryView {
    return { story: this.story, nodes: this.#nodes, lastSeq: this.#lastSeq };
  }

  findNode(id: string): StoryNode | undefined {
    return this.#nodes.get(id);
  }

  estimatedMs(id: string): number | null {
    return this.#estimatedMs.get(id) ?? null;
  }

  /** Reads what has been stored meanwhile; callers that come while it reads wait for the same reading. */
  async catchUp(reader: StoreReader): Promise<this> {
    this.#reading ??= this.#read(reader).finally(() => (this.#reading = undefined));
    await this.#reading;
    return this;
  }

  async #read(reader: StoreReader): Promise<void> {
    for (;;) {
      const page = await reader.eventsAfter(this.#lastSeq, PAGE, { story: this.story });
      for (const { seq, body } of page.events) {
        const event = readSeenEvent(parseJson(body));
        if (event !== undefined) this.#see(event);
        this.#lastSeq = seq;
      }
      if (page.events.length < PAGE) return;
      await breathe();
    }
  }

  #see(event: SeenEvent): void {
    const around = this.#around(event);
    const seen = seeEvent({ story: this.story, nodes: around, lastSeq: event.seq - 1 }, event);
    for (const [id, node] of seen.nodes) {
      if (around.get(id) === node) continue;
      this.#nodes.set(id, node);
      this.timeline.addEvent(node, event);
    }
    this.costs.addEvent(event, this.#nodes.get(event.delegation ?? this.story));
    this.#noteEstimate(event);
  }

  /** All an event can change or look at: what it is about, who asked for it, and their managers up to the story. */
  #around(event: SeenEvent): Map<string, StoryNode> {
    const data = isRecord(event.data) ? event.data : {};
    const around = new Map<string, StoryNode>();
    for (const id of [data["parent"], event.delegation ?? this.story])
      for (let node = this.#find(id); node !== undefined; node = this.#find(node.parent))
        around.set(node.id, node);
    // A new worker is put among the others by its number.
    const siblings = event.type === "delegation-admitted" ? (this.#find(data["parent"])?.workers ?? []) : [];
    for (const id of siblings) {
      const node = this.#nodes.get(id);
      if (node !== undefined) around.set(id, node);
    }
    return around;
  }

  #find(id: unknown): StoryNode | undefined {
    return typeof id === "string" ? this.#nodes.get(id) : undefined;
  }

  #noteEstimate({ type, delegation, data }: SeenEvent): void {
    if (type !== "delegation-admitted" || delegation === null || !isRecord(data)) return;
    const hours = data["estimatedHours"];
    if (typeof hours === "number") this.#estimatedMs.set(delegation, hours * MS_PER_HOUR);
  }
}

const MS_PER_HOUR = 3_600_000;
