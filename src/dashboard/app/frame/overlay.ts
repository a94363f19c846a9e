import { createStore } from "../live/store.ts";

/** A question to the person before something is done in their name. */
export interface PersonQuestion {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** Something to write, where the action takes it. */
  readonly field?: { readonly label: string; readonly isRequired: boolean; readonly hint?: string };
  /** Something to choose; what is chosen is the answer. */
  readonly choice?: { readonly label: string; readonly options: readonly Option[] };
}

export interface Option {
  readonly value: string;
  readonly name: string;
}

export type Overlay =
  | { readonly kind: "none" }
  | { readonly kind: "palette" }
  | { readonly kind: "keys" }
  | {
      readonly kind: "question";
      readonly question: PersonQuestion;
      readonly answer: (text: string | null) => void;
    };

export const overlay = createStore<Overlay>({ kind: "none" });

export function openOverlay(next: Overlay): void {
  overlay.set(() => next);
}

export function closeOverlay(): void {
  overlay.set(() => ({ kind: "none" }));
}

/** Resolves with what was written or chosen (empty where nothing was asked for), or null when the person thought better of it. */
export function askPerson(question: PersonQuestion): Promise<string | null> {
  return new Promise((resolve) => {
    openOverlay({
      kind: "question",
      question,
      answer: (text) => {
        closeOverlay();
        resolve(text);
      },
    });
  });
}
