import { performAction } from "../../app/perform-action.ts";
import { prepareViews } from "../../app/prepare-dashboard.ts";
import type { AppContext } from "../../app/use-case.ts";
import { DelegationError, readErrorMessage } from "../../base/delegation-error.ts";
import type { CommandContext } from "../input/command-module.ts";
import { replaceGlyphs } from "../terminal/choose-ascii.ts";
import { paint } from "../terminal/paint.ts";
import { FullScreen } from "./full-screen.ts";
import { askForKeys, type KeyStroke, type LeaveReason } from "./ask-for-keys.ts";
import { listPaneRows } from "./pane-rows.ts";
import { pressKey } from "./press-key.ts";
import { bodyHeight, listNodes, renderScreen, type ScreenStyle } from "./render-screen.ts";
import { ScreenFacts } from "./screen-facts.ts";
import { startState, takesText, type ScreenRequest, type ScreenState } from "./screen-state.ts";

export type { LeaveReason };

/**
 * Shows one story on the whole terminal and lets a person act on it, until they leave. Everything it does goes through
 * the use cases that the commands call. Leaving stops nothing.
 */
export async function runScreen(context: CommandContext, story: string): Promise<LeaveReason> {
  // A question about trust has no place here: the action is refused and says what to do.
  const { askTrust: _, ...silent } = { ...context, warn: () => undefined, progress: () => undefined };
  const options = await prepareViews(silent);
  const session = new ScreenSession(options.context, new ScreenFacts(options, story), {
    readStyle: styleReader(context),
    story,
  });
  return session.run();
}

function styleReader(context: CommandContext): () => ScreenStyle {
  const { ascii } = context;
  const colors = paint(context.color("stdout"));
  const { stdout } = process;
  // The last column stays free: a terminal may erase it after a line that is full.
  return () => ({ columns: (stdout.columns || 80) - 1, rows: stdout.rows || 24, ascii, paint: colors });
}

interface SessionOptions {
  readonly story: string;
  readonly readStyle: () => ScreenStyle;
}

/** Times count up by themselves. */
const TICK_MS = 1000;
/** Changes that come faster are drawn together. */
const MIN_GAP_MS = 100;

class ScreenSession {
  readonly #context: AppContext;
  readonly #facts: ScreenFacts;
  readonly #readStyle: () => ScreenStyle;
  readonly #screen = new FullScreen(
    (text) => void process.stdout.write(this.#readStyle().ascii ? replaceGlyphs(text) : text),
  );
  readonly #left = new AbortController();
  #state: ScreenState;
  #cursorColumn = 0;

  constructor(context: AppContext, facts: ScreenFacts, { story, readStyle }: SessionOptions) {
    this.#context = context;
    this.#facts = facts;
    this.#readStyle = readStyle;
    this.#state = startState(story);
  }

  async run(): Promise<LeaveReason> {
    const onResize = (): void => {
      this.#screen.forget();
      this.#draw();
    };
    process.stdout.on("resize", onResize);
    try {
      await this.#facts.refresh();
      const following = this.#follow();
      const reason = await askForKeys({
        screen: this.#screen,
        // Not before keys are read: a terminal that still reads lines would write them into the picture.
        begin: () => {
          this.#screen.open();
          this.#draw();
        },
        press: (stroke) => this.#press(stroke),
        left: this.#left.signal,
      });
      this.#left.abort();
      await following;
      return reason;
    } finally {
      this.#left.abort();
      process.stdout.off("resize", onResize);
      this.#screen.close();
      this.#facts.close();
    }
  }

  /** Reads and draws what is new until the person leaves. */
  async #follow(): Promise<void> {
    const { signal } = this.#left;
    while (!signal.aborted) {
      await this.#facts.wait(signal, TICK_MS);
      if (signal.aborted) return;
      await this.#try(() => this.#facts.refresh());
      this.#draw();
      await new Promise((resolve) => setTimeout(resolve, MIN_GAP_MS));
    }
  }

  /** Whether the words that follow belong to the same entry. */
  #press({ key, line, column }: KeyStroke): boolean {
    const { entry, isPasting } = this.#state;
    this.#cursorColumn = column;
    if (key === "paste-start" || key === "paste-end") {
      this.#state = { ...this.#state, isPasting: key === "paste-start" };
    } else if (entry !== null && takesText(entry) && (isPasting || !["return", "escape"].includes(key))) {
      this.#type(entry.text, { key, line });
    } else if (!isPasting) {
      const { state, request } = pressKey(this.#state, key, this.#describeFacts());
      this.#state = state;
      if (request !== undefined) void this.#serve(request);
    }
    this.#draw();
    return takesText(this.#state.entry) && this.#state.entry?.kind === entry?.kind;
  }

  /** The end of a pasted line is a blank, not the end of the entry. */
  #type(text: string, { key, line }: Pick<KeyStroke, "key" | "line">): void {
    const { entry } = this.#state;
    if (entry === null) return;
    const before = key === "return" ? `${text} ` : entry.before;
    const typed = { ...entry, before, text: before + line };
    this.#state = {
      ...this.#state,
      entry: typed,
      ...(entry.kind === "filter" ? { filter: typed.text } : {}),
    };
  }

  #describeFacts(): Parameters<typeof pressKey>[2] {
    const style = this.#readStyle();
    const { questions, question } = this.#facts;
    const rows = listPaneRows(this.#state, this.#facts, { ...style, width: style.columns });
    return {
      nodes: listNodes(this.#state, this.#facts),
      questions,
      shownQuestion: question?.id,
      paneRows: rows.length,
      height: bodyHeight(style),
    };
  }

  async #serve(request: ScreenRequest): Promise<void> {
    if (request.kind === "leave") return this.#left.abort("quit");
    await this.#try(async () => {
      if (request.kind === "load") await this.#load(request);
      else if (request.kind === "earlier") await this.#readEarlier();
      else await this.#act(request);
    });
    this.#draw();
  }

  async #load({ pane, id }: Extract<ScreenRequest, { readonly kind: "load" }>): Promise<void> {
    if (pane === "log") await this.#facts.openLog(id, this.#state.stream);
    else if (pane === "diff") await this.#facts.openDiff(id);
    else await this.#facts.openQuestion(id);
  }

  /** The visible lines stay in place. */
  async #readEarlier(): Promise<void> {
    const before = this.#describeFacts().paneRows;
    await this.#facts.readEarlier();
    const added = this.#describeFacts().paneRows - before;
    if (added > 0) this.#state = { ...this.#state, top: added - 1 };
  }

  async #act({ action }: Extract<ScreenRequest, { readonly kind: "act" }>): Promise<void> {
    this.#state = { ...this.#state, note: "Sending…" };
    this.#draw();
    const { message } = await performAction(this.#context, action);
    const pane = this.#state.pane === "question" ? "list" : this.#state.pane;
    this.#state = { ...this.#state, pane, note: message };
    await this.#facts.refresh();
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const advice = error instanceof DelegationError ? ` ${error.recommendation}` : "";
      this.#state = { ...this.#state, note: readErrorMessage(error) + advice };
    }
  }

  #draw(): void {
    const style = { ...this.#readStyle(), cursorColumn: this.#cursorColumn };
    this.#screen.draw(renderScreen(this.#state, this.#facts, style));
  }
}
