import type { StreamBatch, WorkerOutput } from "../../../app/view-types.ts";
import { hasFields } from "./calls.ts";

export type Connection = "connecting" | "live" | "lost";

interface Wanted {
  /** Events up to this number are known already. */
  readonly after: number;
  readonly onBatches: (batches: readonly StreamBatch[]) => void;
  readonly onConnection: (connection: Connection) => void;
  /** Whether a supervisor runs; called when that changes. */
  readonly onDriver: (isSupervised: boolean) => void;
  /** The newest output of the running workers of the shown story. */
  readonly onOutput: (outputs: readonly WorkerOutput[]) => void;
  /** The window is hidden and no longer listens, or it listens again. */
  readonly onAway: (isAway: boolean) => void;
  /** The store was replaced: everything known so far is invalid. */
  readonly onStale: () => void;
}

/** How long changes are gathered before they are shown: often enough to feel live, rarely enough to stay smooth. */
const GATHER_MS = 150;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 8000;
/** The server says something every few seconds; a line that is silent for much longer is dead. */
const SILENCE_MS = 60_000;
/** A hidden window stops listening after this time, because a browser allows few connections for all its windows. */
const HIDDEN_MS = 30_000;

/** The project's event stream. After a break it continues exactly where it was. It listens until closed. */
export class EventLine {
  readonly #wanted: Wanted;
  #after: number;
  #nodesOf: string | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #source: EventSource | undefined;
  #reopening: number | undefined;
  #silence: number | undefined;
  #handing: number | undefined;
  #hiding: number | undefined;
  #gathered: StreamBatch[] = [];

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#after = wanted.after;
    document.addEventListener("visibilitychange", this.#onVisibility);
    this.#open();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#hangUp();
    window.clearTimeout(this.#handing);
    window.clearTimeout(this.#hiding);
  }

  /** Starts to include the delegations of a story, whose events up to `known` are already loaded. */
  showNodesOf(story: string | null, knownTo: number): void {
    if (story === null && this.#nodesOf === null) return;
    this.#nodesOf = story;
    // Some events may arrive twice. That is harmless: each one describes the current state.
    this.#after = Math.min(this.#after, knownTo);
    this.#hangUp();
    this.#open();
  }

  #open(): void {
    const source = new EventSource(address(this.#nodesOf, this.#after));
    source.addEventListener("open", () => this.#onLife());
    source.addEventListener("ping", () => this.#onLife());
    source.addEventListener("batch", ({ data }: MessageEvent<unknown>) => this.#onBatch(String(data)));
    source.addEventListener("driver", ({ data }: MessageEvent<unknown>) => this.#onDriver(String(data)));
    source.addEventListener("output", ({ data }: MessageEvent<unknown>) => this.#onOutput(String(data)));
    source.addEventListener("stale", () => {
      this.close();
      this.#wanted.onStale();
    });
    // The browser reconnects by itself, but silently, and not after an answer that is not a stream.
    source.addEventListener("error", () => this.#reopen());
    this.#source = source;
    this.#watchSilence();
  }

  #onLife(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#wanted.onConnection("live");
    this.#watchSilence();
  }

  #onDriver(data: string): void {
    this.#watchSilence();
    const told: unknown = JSON.parse(data);
    if (!hasFields<{ isSupervised: boolean }>(told, ["isSupervised"])) return;
    this.#wanted.onDriver(told.isSupervised);
  }

  #onOutput(data: string): void {
    this.#watchSilence();
    const told: unknown = JSON.parse(data);
    if (!Array.isArray(told)) return;
    this.#wanted.onOutput(
      told.filter((one: unknown) => hasFields<WorkerOutput>(one, ["id", "line", "atMs"])),
    );
  }

  #onBatch(data: string): void {
    this.#watchSilence();
    const batch: unknown = JSON.parse(data);
    if (!hasFields<StreamBatch>(batch, ["from", "to", "events", "runs", "nodes"])) return;
    if (batch.to <= this.#after) return;
    this.#after = batch.to;
    this.#gathered.push(batch);
    this.#handing ??= window.setTimeout(() => this.#hand(), GATHER_MS);
  }

  #hand(): void {
    this.#handing = undefined;
    const batches = this.#gathered;
    this.#gathered = [];
    this.#wanted.onBatches(batches);
  }

  #reopen(): void {
    this.#hangUp();
    this.#wanted.onConnection("lost");
    this.#reopening = window.setTimeout(() => this.#open(), this.#pauseMs);
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
  }

  readonly #onVisibility = (): void => {
    window.clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = window.setTimeout(() => this.#leave(), HIDDEN_MS);
    else if (this.#source === undefined) {
      this.#wanted.onAway(false);
      this.#open();
    }
  };

  #leave(): void {
    this.#hangUp();
    this.#wanted.onAway(true);
  }

  #watchSilence(): void {
    window.clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => this.#reopen(), SILENCE_MS);
  }

  #hangUp(): void {
    this.#source?.close();
    this.#source = undefined;
    window.clearTimeout(this.#silence);
    window.clearTimeout(this.#reopening);
  }
}

function address(nodesOf: string | null, after: number): string {
  const query = new URLSearchParams({ after: String(after) });
  if (nodesOf !== null) query.set("nodes", nodesOf);
  return `/api/events?${query.toString()}`;
}
