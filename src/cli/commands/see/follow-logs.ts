import { setTimeout as delay } from "node:timers/promises";
import { escapeJson, safeJson } from "../../../base/safe-json.ts";
import type { FileTail } from "../../../containment/tail-file.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { writeOutput } from "../../write-output.ts";
import { runningSupervisor } from "../work/project-supervisor.ts";
import { openLog, renderLogLine, tailOfEach, wholeFile, type LogLine } from "./log-lines.ts";
import { eventFilter, sourcesOf, type LogQuestion } from "./log-question.ts";

const LOOK_MS = 200;
const PAGE = 500;

/**
 * Prints what is there and what comes, until the delegation has ended or nobody works on it any more. Being connected
 * tells the supervisor that somebody watches, and tells us when it is gone.
 */
export async function followLogs(
  context: CommandContext,
  question: LogQuestion,
  asEvents: boolean,
): Promise<CommandOutcome> {
  const { reader, target } = question;
  const client = await runningSupervisor(context);
  let isWatched = client !== undefined;
  void client?.closed.then(() => (isWatched = false));
  const printer = asEvents ? new EventPrinter(question) : new LinePrinter(context, question);
  try {
    for (;;) {
      // Looked at before reading: what was written before the end is then always read after it was known.
      const state = (await reader.delegation(target.id))?.state;
      const isLast = state === "closed" || !isWatched;
      const text = await printer.next(isLast);
      if (text !== "" && (await writeOutput("stdout", text)).status === "closed") break;
      if (isLast) break;
      await delay(LOOK_MS);
    }
    return await ending(context, question);
  } finally {
    printer.close();
    client?.close();
  }
}

async function ending(context: CommandContext, { reader, target }: LogQuestion): Promise<CommandOutcome> {
  const delegation = await reader.delegation(target.id);
  if (delegation !== undefined && delegation.state !== "closed")
    context.warn(`nobody works on ${target.id} now (${delegation.state}): ambit explain ${target.id}`);
  return {
    exitCode: exitCode.completed,
    json: { story: target.story.id, id: target.id, outcome: delegation?.outcome ?? null },
    text: "",
  };
}

interface Printer {
  /** What is new since the last call; `isLast` also gives a line that has no end yet. */
  next(isLast: boolean): Promise<string>;
  close(): void;
}

/** Log lines of every attempt, those that begin later included. */
class LinePrinter implements Printer {
  readonly #question: LogQuestion;
  readonly #render: (line: LogLine) => string;
  readonly #tails = new Map<string, FileTail>();
  #lines: LogLine[] = [];
  #isFirst = true;

  constructor(context: CommandContext, question: LogQuestion) {
    this.#question = question;
    const { dim } = paint(context.color("stdout"));
    const { story, id } = question.target;
    const style = { story: story.id, isPrefixed: id === story.id, dim };
    this.#render = (line) => (context.json ? safeJson(line) : renderLogLine(line, style));
  }

  async next(isLast: boolean): Promise<string> {
    const { tail } = this.#question;
    for (const source of await sourcesOf(this.#question)) {
      if (this.#tails.has(source.path)) continue;
      const onLine = (line: LogLine): void => void this.#lines.push(line);
      this.#tails.set(source.path, openLog(source, { skipBytes: 0, onLine }));
    }
    for (const tailed of this.#tails.values()) {
      tailed.read(wholeFile);
      if (isLast) tailed.finish();
    }
    const lines = this.#isFirst ? tailOfEach(this.#lines, tail) : this.#lines;
    this.#isFirst = false;
    this.#lines = [];
    return lines.map((line) => `${this.#render(line)}\n`).join("");
  }

  close(): void {
    for (const tailed of this.#tails.values()) tailed.close();
  }
}

/** Journal events as they are stored, one per line. */
class EventPrinter implements Printer {
  readonly #question: LogQuestion;
  #cursor: number | undefined;

  constructor(question: LogQuestion) {
    this.#question = question;
  }

  async next(): Promise<string> {
    const { reader, target } = this.#question;
    let text = "";
    for (let cursor = this.#cursor ?? (await this.#start()); ;) {
      const page = await reader.eventsAfter(cursor, PAGE, eventFilter(target));
      text += page.events.map(({ body }) => `${escapeJson(body)}\n`).join("");
      this.#cursor = cursor = page.cursor;
      if (page.events.length < PAGE) return text;
    }
  }

  /** With `--tail` all but the newest events are skipped. */
  async #start(): Promise<number> {
    const { reader, tail, target } = this.#question;
    if (tail === undefined) return 0;
    const [oldest] = await reader.newestEvents(tail, eventFilter(target));
    return oldest === undefined ? (await reader.head()).seq : oldest.seq - 1;
  }

  close(): void {
    this.#cursor = undefined;
  }
}
