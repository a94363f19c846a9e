import type { Action } from "../../app/view-types.ts";

export type PaneName = "list" | "log" | "diff" | "question" | "help";

/** The text or confirmation that the person is entering. */
export interface Entry {
  readonly kind: "filter" | "reply" | "message" | "reject" | "stop" | "approve";
  /** The question or the work that it is about. */
  readonly about: string;
  /** Lines of a paste that readline has already let go of. */
  readonly before: string;
  readonly text: string;
}

/** Everything that keys change. */
export interface ScreenState {
  readonly pane: PaneName;
  readonly selected: string;
  /** The first row of the list that is shown. */
  readonly first: number;
  /** The first row of the pane that is shown; infinite while the pane follows its end. */
  readonly top: number;
  readonly stream: "stdout" | "stderr";
  readonly filter: string;
  readonly entry: Entry | null;
  readonly isPasting: boolean;
  /** One sentence about what just happened. */
  readonly note: string;
}

export function startState(story: string): ScreenState {
  return {
    pane: "list",
    selected: story,
    first: 0,
    top: 0,
    stream: "stdout",
    filter: "",
    entry: null,
    isPasting: false,
    note: "",
  };
}

/** A request that a key makes besides another picture. */
export type ScreenRequest =
  | { readonly kind: "leave" }
  | { readonly kind: "load"; readonly pane: "log" | "diff" | "question"; readonly id: string }
  | { readonly kind: "earlier" }
  | { readonly kind: "act"; readonly action: Action };

/** Whether the entry takes words; the others take one key. */
export function takesText(entry: Entry | null): boolean {
  return entry !== null && entry.kind !== "stop" && entry.kind !== "approve";
}
