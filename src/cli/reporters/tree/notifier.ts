import { safeText } from "../../../base/safe-text.ts";
import type { NotifyMode } from "../../../app/notify-mode.ts";
import type { StoryView } from "../../../app/story-view.ts";
import { sumStoryTotals } from "../../../app/story-view.ts";
import { cutText } from "../../terminal/text-width.ts";

const BELL = "\u0007";
const MAX_NOTICE_WIDTH = 120;

/** Notifies the person once about each open question. */
export class Notifier {
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
