import type { Clock } from "../../base/clock.ts";
import type { NotifyMode } from "../../app/notify-mode.ts";
import {
  type StoryView,
  emptyView,
  seeEvent,
  seeOutput,
  type SeenEvent,
  sumStoryTotals,
} from "../../app/story-view.ts";
import type { Paint } from "../terminal/paint.ts";
import { renderTree } from "../render/story-tree.ts";
import { visibleText } from "../../base/visible-text.ts";
import { safeText } from "../../base/safe-text.ts";
import { cutText } from "../terminal/text-width.ts";
import type { Reporter } from "./reporter.ts";
import { findNewNote } from "./story-changes.ts";
import { drawOver, nothingDrawn, writeOver, type Drawn } from "./tree/frame.ts";
import type { Screen } from "./tree/screen.ts";

export interface TreeOptions {
  readonly story: string;
  readonly screen: Screen;
  /** False when the screen is not a terminal: then only the last picture is written, without cursor codes. */
  readonly isTty: boolean;
  readonly clock: Clock;
  readonly setTimer: (delayMs: number, action: () => void) => () => void;
  readonly ascii: boolean;
  readonly paint: Paint;
  readonly hint: string | undefined;
  /** How to notify a person who is not looking at the terminal. */
  readonly notify: NotifyMode;
}

const FRAME_MS = 100;
/** Times count up by themselves. */
const TICK_MS = 1000;

const BELL = "\u0007";
const MAX_NOTICE_WIDTH = 120;

/** A tree that is drawn over itself, at most ten times a second and only when it looks different. */
export class TreeReporter implements Reporter {
  readonly answers = false;
  readonly #options: TreeOptions;
  readonly #stopListening: () => void;
  #view: StoryView;
  readonly #notifier: Notifier;
  #drawn: Drawn = nothingDrawn;
  #drawnAtMs = Number.NEGATIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #clearTimer: () => void = () => undefined;
  #isOver = false;

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#view = emptyView(options.story);
    this.#notifier = new Notifier(options.isTty ? options.notify : "off");
    this.#stopListening = options.isTty ? options.screen.onResize(() => this.#drawSoon()) : () => undefined;
  }

  event(event: SeenEvent): void {
    const before = this.#view;
    this.#view = seeEvent(before, event);
    const note = findNewNote(before, this.#view);
    if (note !== undefined) this.note(`${this.#view.story} ${note}`);
    this.#drawSoon();
  }

  output(delegation: string, text: string): void {
    this.latest(delegation, { text, atMs: this.#options.clock.wallMs() });
  }

  latest(delegation: string, output: { readonly text: string; readonly atMs: number }): void {
    this.#view = seeOutput(this.#view, delegation, output);
    this.#drawSoon();
  }

  note(text: string): void {
    const { screen } = this.#options;
    const shown = visibleText(text);
    screen.write(this.#isLive() ? writeOver(this.#drawn, shown, screen.size().columns) : `${shown}\n`);
    this.#drawn = nothingDrawn;
    if (this.#isLive()) this.#draw();
  }

  /** The whole tree stays on the screen, whatever its height. */
  end(): void {
    if (this.#isOver) return;
    const { screen, isTty } = this.#options;
    const { columns } = screen.size();
    const lines = this.#render(Number.POSITIVE_INFINITY);
    screen.write(isTty ? drawOver(this.#drawn, { lines, columns }) : `${lines.join("\n")}\n`);
    this.close();
  }

  close(): void {
    this.#isOver = true;
    this.#clearTimer();
    this.#stopListening();
  }

  #isLive(): boolean {
    return this.#options.isTty && !this.#isOver;
  }

  #drawSoon(): void {
    const { clock } = this.#options;
    this.#drawIn(Math.max(0, this.#drawnAtMs + FRAME_MS - clock.monotonicMs()));
  }

  #drawIn(delayMs: number): void {
    const dueMs = this.#options.clock.monotonicMs() + delayMs;
    if (!this.#isLive() || this.#dueMs <= dueMs) return;
    this.#clearTimer();
    this.#dueMs = dueMs;
    this.#clearTimer = this.#options.setTimer(delayMs, () => this.#draw());
  }

  #draw(): void {
    const { screen, clock } = this.#options;
    const { columns, rows } = screen.size();
    // One row below is the cursor's.
    const lines = this.#render(rows - 1);
    const now: Drawn = { lines, columns };
    const notice = this.#notifier.noticeOf(this.#view);
    const frame = looksLike(now, this.#drawn) ? "" : drawOver(this.#drawn, now);
    if (notice + frame !== "") screen.write(notice + frame);
    this.#drawn = now;
    this.#drawnAtMs = clock.monotonicMs();
    this.#dueMs = Number.POSITIVE_INFINITY;
    this.#drawIn(TICK_MS);
  }

  #render(rows: number): readonly string[] {
    const { screen, clock, ascii, paint, hint, isTty } = this.#options;
    const text = renderTree(this.#view, {
      // The last column stays free: a terminal may erase it after a line that is full.
      width: screen.size().columns - 1,
      rows,
      nowMs: clock.wallMs(),
      ascii,
      paint,
      ...(hint === undefined || !isTty || rows === Number.POSITIVE_INFINITY ? {} : { hint }),
    });
    return text === "" ? [] : text.split("\n");
  }
}

function looksLike(one: Drawn, other: Drawn): boolean {
  return (
    one.columns === other.columns &&
    one.lines.length === other.lines.length &&
    one.lines.every((line, row) => line === other.lines[row])
  );
}

/** Notifies the person once about each open question. */
class Notifier {
  readonly #mode: NotifyMode;
  readonly #told = new Set<string>();

  constructor(mode: NotifyMode) {
    this.#mode = mode;
  }

  /** The text to write to the terminal now; empty if there is no new question. */
  noticeOf(view: StoryView): string {
    if (this.#mode === "off") return "";
    const asked = sumStoryTotals(view, 0).needsYou.flatMap((node) =>
      node.approvals.map(({ id, question }) => ({ id, question })),
    );
    const fresh = asked.filter(({ id }) => !this.#told.has(id));
    const [first] = fresh;
    if (first === undefined) return "";
    for (const { id } of fresh) this.#told.add(id);
    if (this.#mode === "bell") return BELL;
    const more = fresh.length === 1 ? "" : ` (and ${fresh.length - 1} more)`;
    const text = cutText(
      safeText(`ambit: ${view.story} needs you${more}: ${first.question}`),
      MAX_NOTICE_WIDTH,
    );
    return `\u001B]9;${text}${BELL}${BELL}`;
  }
}
