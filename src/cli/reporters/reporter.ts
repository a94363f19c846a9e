import type { SeenEvent } from "../../app/story-view.ts";

/** How a story ended, as far as a reporter tells it. */
export interface StoryEnd {
  readonly story: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly summary: string;
}

/** Shows a story while it happens. Told of the past first, then of what happens now; never waited for. */
export interface Reporter {
  /** True when it writes the answer itself, so that no other text belongs on stdout. */
  readonly answers: boolean;
  event(event: SeenEvent): void;
  output(delegation: string, text: string): void;
  /** Shows the last output of a worker from before the watch began; only a picture needs it. */
  latest?(delegation: string, output: { readonly text: string; readonly atMs: number }): void;
  /** Something else a person should read now, such as what Ctrl-C did. */
  note(text: string): void;
  end(ending: StoryEnd): void;
  /** Lets go of the terminal; may be called at any time, and more than once. */
  close(): void;
}

/** Where a reporter writes; each call is whole lines without the last line end. */
export interface ReporterOutput {
  /** The answer: stdout. */
  readonly answer: (text: string) => void;
  /** Everything else: stderr. */
  readonly progress: (text: string) => void;
}

/** For `--quiet`: only the ending, which the command itself tells. */
export const silentReporter: Reporter = {
  answers: false,
  event: () => undefined,
  output: () => undefined,
  note: () => undefined,
  end: () => undefined,
  close: () => undefined,
};
