import type { FileTail } from "../../containment/tail-file.ts";
import { buildEventFilter, listLogFiles, type LogQuestion } from "./log-question.ts";
import { keepNewestLines, openLog, wholeFile, type LogLine } from "./read-log-lines.ts";

const PAGE = 500;

/** The output since the last call. */
export interface LogNews {
  readonly lines: readonly LogLine[];
  /** Bodies of journal events, as they are stored. */
  readonly events: readonly string[];
}

/** Log lines of every attempt, including attempts that begin later. */
export class LineFollower {
  readonly #question: LogQuestion;
  readonly #tails = new Map<string, FileTail>();
  #lines: LogLine[] = [];
  #isFirst = true;

  constructor(question: LogQuestion) {
    this.#question = question;
  }

  /** `isLast` also gives a line that has no end yet. */
  async readNew(isLast: boolean): Promise<LogNews> {
    for (const source of await listLogFiles(this.#question)) {
      if (this.#tails.has(source.path)) continue;
      const onLine = (line: LogLine): void => void this.#lines.push(line);
      this.#tails.set(source.path, openLog(source, { skipBytes: 0, onLine }));
    }
    for (const tailed of this.#tails.values()) {
      tailed.read(wholeFile);
      if (isLast) tailed.finish();
    }
    const lines = this.#isFirst ? keepNewestLines(this.#lines, this.#question.tail) : this.#lines;
    this.#isFirst = false;
    this.#lines = [];
    return { lines, events: [] };
  }

  close(): void {
    for (const tailed of this.#tails.values()) tailed.close();
  }
}

/** Journal events as they are stored. */
export class EventFollower {
  readonly #question: LogQuestion;
  #cursor: number | undefined;

  constructor(question: LogQuestion) {
    this.#question = question;
  }

  async readNew(): Promise<LogNews> {
    const { reader, target } = this.#question;
    const events: string[] = [];
    for (let cursor = this.#cursor ?? (await this.#findStart()); ;) {
      const page = await reader.eventsAfter(cursor, PAGE, buildEventFilter(target));
      events.push(...page.events.map(({ body }) => body));
      this.#cursor = cursor = page.cursor;
      if (page.events.length < PAGE) return { lines: [], events };
    }
  }

  /** With a tail, all but the newest events are skipped. */
  async #findStart(): Promise<number> {
    const { reader, tail, target } = this.#question;
    if (tail === undefined) return 0;
    const [oldest] = await reader.newestEvents(tail, buildEventFilter(target));
    return oldest === undefined ? (await reader.head()).seq : oldest.seq - 1;
  }

  close(): void {
    this.#cursor = undefined;
  }
}
