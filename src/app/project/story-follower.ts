import type { KeptError } from "../../contract/agent-return.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { EventData, JournalEvent } from "../../contract/journal-event.ts";
import type { WorkProof } from "../../contract/task.ts";
import type { Notice } from "./notices.ts";

/** How a story ended, as its own closing event says. */
export interface StoryEnding {
  readonly story: string;
  readonly outcome: Outcome;
  readonly code: string | null;
  readonly summary: string;
  readonly filesChanged: readonly string[];
  /** Whether its proven work is on the branch `ambit/<story>`. */
  readonly merged: boolean;
  /** The part of the person's uncommitted work that it started from; null if that is not known. */
  readonly start: NonNullable<EventData<"workspace-created">["start"]> | null;
  /** Null if its own checks did not run. */
  readonly proof: WorkProof | null;
  /** The errors and next steps of its own return. */
  readonly advice: { readonly errors: readonly KeptError[]; readonly nextSteps: string };
  readonly noticed: readonly Notice[];
}

/** A surface that shows one story while it happens: first all past events, then each new one. */
export interface StoryFollower {
  readonly event: (event: JournalEvent) => void;
  readonly output: (delegation: string, text: string) => void;
  /** Reports the last output of a worker from before the watch began. */
  readonly latest?: (delegation: string, output: { readonly text: string; readonly atMs: number }) => void;
  /** Shows a line of its own without breaking what is on the screen. */
  readonly note?: (text: string) => void;
  /** Aborted when the person wants the story stopped; its work is kept. */
  readonly stop: AbortSignal;
  /** Aborted when the person stops watching; the story keeps working. */
  readonly leave: AbortSignal;
  /** Called once at the end; without an ending when the person left or the supervisor went away. */
  readonly close: (ending?: StoryEnding) => void;
}
