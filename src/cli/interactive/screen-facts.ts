import { inboxUseCase, type InboxAnswer } from "../../app/inbox.ts";
import { ProjectViews } from "../../app/project-views.ts";
import type { AppContext } from "../../app/use-case.ts";
import type { Diff, InboxEntry, StoryDocument, WorkerOutput } from "../../app/view-types.ts";

/** The part of a worker's output that was read. */
export interface ReadLog {
  readonly id: string;
  readonly stream: "stdout" | "stderr";
  readonly attempt: number;
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

export type Question = InboxAnswer["questions"][number];

const MAX_LOG_LINES = 20_000;
/** A line that an agent's program writes for Ambit, not for people. */
const PROTOCOL = '{"ambit":';

/** Reads what the screen shows, through the views and use cases that every surface has. */
export class ScreenFacts {
  readonly #views: ProjectViews;
  readonly #context: AppContext;
  readonly #story: string;
  document: StoryDocument | undefined;
  outputs: ReadonlyMap<string, WorkerOutput> = new Map();
  questions: readonly InboxEntry[] = [];
  isDriven = true;
  log: ReadLog | undefined;
  diff: { readonly id: string; readonly read: Diff } | undefined;
  question: Question | undefined;

  constructor(options: { readonly context: AppContext; readonly tasksDir: string }, story: string) {
    this.#views = new ProjectViews(options);
    this.#context = options.context;
    this.#story = story;
  }

  readonly nowMs = (): number => this.#views.nowMs();

  async refresh(): Promise<void> {
    this.document = await this.#views.readStory(this.#story);
    const outputs = await this.#views.readOutputs(this.#story);
    this.outputs = new Map(outputs.map((output) => [output.id, output]));
    const { entries } = await this.#views.readInbox();
    this.questions = entries.filter(({ run }) => run === this.#story);
    this.isDriven = this.#views.isSupervised();
    await this.#followLog();
  }

  /** Resolves when something may have changed. */
  async wait(signal: AbortSignal, maxMs: number): Promise<void> {
    const unlisten = this.#views.listen();
    try {
      await this.#views.waitForChange(signal, maxMs);
    } finally {
      unlisten();
    }
  }

  async openLog(id: string, stream: ReadLog["stream"]): Promise<void> {
    const page = await this.#readLog(id, stream, { from: undefined, to: Number.MAX_SAFE_INTEGER });
    this.log = { id, stream, ...page };
  }

  /** Puts the piece before what was read in front of it. */
  async readEarlier(): Promise<void> {
    const { log } = this;
    if (log === undefined || log.from === 0 || log.lines.length >= MAX_LOG_LINES) return;
    const page = await this.#readLog(log.id, log.stream, { from: undefined, to: log.from });
    if (page.attempt === log.attempt)
      this.log = { ...log, lines: [...page.lines, ...log.lines], from: page.from };
  }

  async #followLog(): Promise<void> {
    const { log } = this;
    if (log === undefined) return;
    const page = await this.#readLog(log.id, log.stream, { from: log.to, to: undefined });
    if (page.attempt !== log.attempt) return this.openLog(log.id, log.stream);
    if (page.to > log.to)
      this.log = { ...log, lines: [...log.lines, ...page.lines].slice(-MAX_LOG_LINES), to: page.to };
  }

  async #readLog(
    id: string,
    stream: ReadLog["stream"],
    range: { readonly from: number | undefined; readonly to: number | undefined },
  ): Promise<Pick<ReadLog, "attempt" | "lines" | "from" | "to">> {
    const page = await this.#views.readLog(id, { attempt: undefined, stream, ...range });
    const { attempt, from, to } = page;
    return { attempt, from, to, lines: page.lines.filter((line) => !line.startsWith(PROTOCOL)) };
  }

  async openDiff(id: string): Promise<void> {
    this.diff = undefined;
    this.diff = { id, read: await this.#views.readDiff({ id }) };
  }

  /** One question with every changed line that it is about. */
  async openQuestion(id: string): Promise<void> {
    this.question = undefined;
    const { questions } = await inboxUseCase.run(this.#context, { id });
    [this.question] = questions;
  }

  close(): void {
    this.#views.close();
  }
}
