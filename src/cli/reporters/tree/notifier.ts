import { safeText } from "../../../base/safe-text.ts";
import type { NotifyMode } from "../../../app/notify-mode.ts";
import type { StoryView } from "../../../app/story-view.ts";
import { sumStoryTotals } from "../../../app/story-view.ts";
import { cutText } from "../../terminal/text-width.ts";

const BELL = "\u0007";
const WIDEST_NOTICE = 120;

/** Tells a person once about each question that waits for them. */
export class Notifier {
  readonly #mode: NotifyMode;
  readonly #told = new Set<string>();

  constructor(mode: NotifyMode) {
    this.#mode = mode;
  }

  /** What to write to the terminal now; empty where nothing new waits. */
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
    const text = cutText(safeText(`ambit: ${view.story} needs you${more}: ${first.question}`), WIDEST_NOTICE);
    return `\u001B]9;${text}${BELL}${BELL}`;
  }
}
