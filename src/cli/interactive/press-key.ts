import type { Action, InboxEntry, TreeNode } from "../../app/view-types.ts";
import { takesText, type Entry, type ScreenRequest, type ScreenState } from "./screen-state.ts";

/** The facts about the current picture that keys depend on. */
export interface KeyFacts {
  /** The rows of the list. */
  readonly nodes: readonly TreeNode[];
  readonly questions: readonly InboxEntry[];
  /** The question that is on the screen with its diff; nothing else can be approved. */
  readonly shownQuestion: string | undefined;
  /** Rows of the open pane, and how many of them fit. */
  readonly paneRows: number;
  readonly height: number;
}

export interface Pressed {
  readonly state: ScreenState;
  readonly request?: ScreenRequest;
}

/** The next state after one key. `key` is a character or the name of a key such as `pagedown`. */
export function pressKey(state: ScreenState, key: string, facts: KeyFacts): Pressed {
  const quiet = { ...state, note: "" };
  if (state.entry !== null) return pressInEntry({ ...quiet, entry: state.entry }, key);
  const selected = facts.nodes.find(({ id }) => id === state.selected);
  const common = selected === undefined ? undefined : pressOnWorker(quiet, key, { ...facts, selected });
  if (common !== undefined) return common;
  if (key === "n" || key === "tab") return { state: selectNext(quiet, facts) };
  if (key === "?") return { state: { ...quiet, pane: "help", top: 0 } };
  return state.pane === "list" ? pressInList(quiet, key, facts) : pressInPane(quiet, key, facts);
}

const moves: Readonly<Record<string, (height: number) => number>> = {
  up: () => -1,
  k: () => -1,
  down: () => 1,
  j: () => 1,
  pageup: (height) => -height,
  pagedown: (height) => height,
  " ": (height) => height,
  home: () => Number.NEGATIVE_INFINITY,
  g: () => Number.NEGATIVE_INFINITY,
  end: () => Number.POSITIVE_INFINITY,
  G: () => Number.POSITIVE_INFINITY,
};

function pressInList(state: ScreenState, key: string, facts: KeyFacts): Pressed {
  if (key === "q") return { state, request: { kind: "leave" } };
  if (key === "/") return { state: { ...state, entry: newEntry("filter", "") } };
  if (key === "escape") return { state: { ...state, filter: "" } };
  const step = moves[key]?.(facts.height);
  return { state: step === undefined ? state : selectBy(state, step, facts) };
}

function selectBy(state: ScreenState, step: number, { nodes, height }: KeyFacts): ScreenState {
  const at = nodes.findIndex(({ id }) => id === state.selected);
  const next = clamp(at + step, 0, nodes.length - 1);
  return {
    ...state,
    selected: nodes[next]?.id ?? state.selected,
    first: scrollTo(state.first, next, height),
  };
}

/** The first row that keeps a chosen one in sight. */
export function scrollTo(first: number, chosen: number, height: number): number {
  return clamp(first, chosen - height + 1, Math.max(0, chosen));
}

/** After the last worker that asks comes the first. */
function selectNext(state: ScreenState, facts: KeyFacts): ScreenState {
  const { nodes } = facts;
  const at = nodes.findIndex(({ id }) => id === state.selected);
  const asks = [...nodes.slice(at + 1), ...nodes.slice(0, at + 1)].find(({ questions }) => questions > 0);
  if (asks === undefined) return { ...state, note: "No question waits for you." };
  const first = scrollTo(state.first, nodes.indexOf(asks), facts.height);
  return { ...state, pane: "list", selected: asks.id, first };
}

function pressInPane(state: ScreenState, key: string, facts: KeyFacts): Pressed {
  if (["q", "escape", "left"].includes(key)) return { state: { ...state, pane: "list" } };
  if (key === "e" && state.pane === "log") {
    const stream = state.stream === "stdout" ? "stderr" : "stdout";
    return openPane({ ...state, stream }, "log", state.selected);
  }
  const step = moves[key]?.(facts.height);
  if (step === undefined) return { state };
  const last = Math.max(0, facts.paneRows - facts.height);
  const now = Math.min(state.top, last);
  const next = now + step;
  // At its end a log is followed again.
  const top = state.pane === "log" && next >= last ? Number.POSITIVE_INFINITY : clamp(next, 0, last);
  const isAtStart = state.pane === "log" && now === 0 && step < 0;
  return { state: { ...state, top }, ...(isAtStart ? { request: { kind: "earlier" } } : {}) };
}

type WorkerFacts = KeyFacts & { readonly selected: TreeNode };

/** Keys that are about the chosen worker, in the list and in every pane. */
function pressOnWorker(state: ScreenState, key: string, facts: WorkerFacts): Pressed | undefined {
  const { selected } = facts;
  const asked = facts.questions.find(({ delegation }) => delegation === selected.id);
  switch (key) {
    case "return":
    case "right":
      if (state.pane !== "list") return undefined;
      return asked === undefined ? openPane(state, "log", selected.id) : openQuestion(state, asked);
    case "l":
      return openPane(state, "log", selected.id);
    case "d":
      return openPane(state, "diff", selected.id);
    case "r":
      return reply(state, selected, asked);
    case "a":
    case "x":
      return decide(state, { asked, answer: key === "a" ? "approve" : "reject" }, facts);
    case "s":
      if (selected.endedAtMs !== null) return note(state, "It has ended already.");
      return { state: { ...state, entry: newEntry("stop", selected.id) } };
    default:
      return undefined;
  }
}

function openPane(state: ScreenState, pane: "log" | "diff", id: string): Pressed {
  const top = pane === "log" ? Number.POSITIVE_INFINITY : 0;
  return { state: { ...state, pane, top }, request: { kind: "load", pane, id } };
}

function openQuestion(state: ScreenState, { id }: InboxEntry): Pressed {
  return { state: { ...state, pane: "question", top: 0 }, request: { kind: "load", pane: "question", id } };
}

/** Words answer a question; a worker without one gets them as a message. */
function reply(state: ScreenState, selected: TreeNode, asked: InboxEntry | undefined): Pressed {
  if (asked?.kind === "clarification") {
    const opened = openQuestion(state, asked);
    return { ...opened, state: { ...opened.state, entry: newEntry("reply", asked.id) } };
  }
  if (asked !== undefined) return note(state, "It asks for a decision: a approves, x rejects.");
  if (selected.endedAtMs !== null) return note(state, "It has ended and cannot receive messages.");
  return { state: { ...state, entry: newEntry("message", selected.id) } };
}

/** A decision must be visible first: the first key opens the question, and only then does the second one decide. */
function decide(
  state: ScreenState,
  { asked, answer }: { readonly asked: InboxEntry | undefined; readonly answer: "approve" | "reject" },
  { shownQuestion }: WorkerFacts,
): Pressed {
  if (asked === undefined) return note(state, "It asks for nothing.");
  if (asked.kind === "clarification") return note(state, "It asks for words: r replies.");
  if (state.pane !== "question" || shownQuestion !== asked.id) return openQuestion(state, asked);
  return { state: { ...state, entry: newEntry(answer, asked.id) } };
}

function pressInEntry(state: ScreenState & { readonly entry: Entry }, key: string): Pressed {
  const { entry } = state;
  const closed = { ...state, entry: null };
  if (key === "escape")
    return {
      state: { ...closed, ...(entry.kind === "filter" ? { filter: "" } : { note: "Nothing was sent." }) },
    };
  if (takesText(entry)) return key === "return" ? sendText(closed, entry) : { state };
  if (key !== "y") return note(closed, entry.kind === "stop" ? "It works on." : "Nothing was approved.");
  const { about } = entry;
  const action: Action =
    entry.kind === "stop" ? { kind: "stop", id: about } : { kind: "approve", approval: about };
  return { state: closed, request: { kind: "act", action } };
}

function sendText(state: ScreenState, { kind, about, text }: Entry): Pressed {
  if (kind === "filter") return { state };
  const words = text.trim();
  if (words === "")
    return note(state, kind === "reject" ? "Nothing was rejected: say why." : "Nothing was sent.");
  return { state, request: { kind: "act", action: describeAction(kind, about, words) } };
}

function describeAction(kind: Entry["kind"], about: string, words: string): Action {
  if (kind === "reject") return { kind, approval: about, reason: words };
  return kind === "reply"
    ? { kind, approval: about, text: words }
    : { kind: "message", id: about, text: words };
}

function newEntry(kind: Entry["kind"], about: string): Entry {
  return { kind, about, before: "", text: "" };
}

function note(state: ScreenState, text: string): Pressed {
  return { state: { ...state, note: text } };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
