import { groupDigits } from "../../base/group-digits.ts";
import { cutText } from "../terminal/text-width.ts";

/** As many lines of one worker are shown at once. */
const MAX_BURST = 200;
/** After those, one more each second, but no fewer than these together. */
const MIN_RESUMED = 10;
const MAX_WIDTH = 300;
/** How a worker ended is in its last lines. */
const MAX_LAST_LINES = 5;

export interface LiveLinesOptions {
  readonly nowMs: () => number;
  readonly ascii: boolean;
}

interface Allowance {
  readonly lines: number;
  readonly atMs: number;
  /** Hidden since the last line that was shown. */
  readonly hidden: number;
  readonly lastHidden: readonly string[];
}

/**
 * Chooses which lines of a worker are shown while it works, so that one that floods its output does not flood a terminal.
 * Its log keeps everything.
 */
export class LiveLines {
  readonly #options: LiveLinesOptions;
  readonly #allowances = new Map<string, Allowance>();

  constructor(options: LiveLinesOptions) {
    this.#options = options;
  }

  /** Returns the lines to show now; where some before them were hidden, the first one says so. */
  admit(delegation: string, lines: readonly string[]): readonly string[] {
    const { hidden, lastHidden, ...known } = this.#refill(delegation);
    const isHiding = hidden > 0 && known.lines < MIN_RESUMED;
    const count = isHiding ? 0 : Math.min(lines.length, Math.floor(known.lines));
    const shown = lines.slice(0, count).map((line) => this.#cut(line));
    const left = lines.slice(count);
    const isResumed = count > 0;
    this.#allowances.set(delegation, {
      lines: known.lines - count,
      atMs: known.atMs,
      hidden: (isResumed ? 0 : hidden) + left.length,
      lastHidden: [...(isResumed ? [] : lastHidden), ...left].slice(-MAX_LAST_LINES),
    });
    return isResumed && hidden > 0 ? [describeHidden(delegation, hidden), ...shown] : shown;
  }

  /** Workers of whom lines are hidden. */
  get hiding(): readonly string[] {
    return [...this.#allowances].filter(([, { hidden }]) => hidden > 0).map(([delegation]) => delegation);
  }

  /** Returns the last lines that were hidden, after a line that counts the others. */
  release(delegation: string): readonly string[] {
    const known = this.#allowances.get(delegation);
    if (known === undefined || known.hidden === 0) return [];
    this.#allowances.set(delegation, { ...known, hidden: 0, lastHidden: [] });
    const others = known.hidden - known.lastHidden.length;
    const last = known.lastHidden.map((line) => this.#cut(line));
    return others === 0 ? last : [describeHidden(delegation, others), ...last];
  }

  #refill(delegation: string): Allowance {
    const nowMs = this.#options.nowMs();
    const known = this.#allowances.get(delegation);
    if (known === undefined) return { lines: MAX_BURST, atMs: nowMs, hidden: 0, lastHidden: [] };
    const lines = Math.min(MAX_BURST, known.lines + Math.max(0, nowMs - known.atMs) / 1000);
    return { ...known, lines, atMs: nowMs };
  }

  /** Measuring the whole of a huge line would take long. */
  #cut(line: string): string {
    return cutText(line.slice(0, 2 * MAX_WIDTH), MAX_WIDTH, this.#options.ascii);
  }
}

function describeHidden(delegation: string, count: number): string {
  return `(${groupDigits(count)} ${count === 1 ? "line" : "lines"} not shown; all of them: ambit logs ${delegation})`;
}
