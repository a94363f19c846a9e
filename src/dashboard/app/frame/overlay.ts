import { createStore } from "../live/store.ts";

/** A question to the person before an action runs in their name. */
export interface PersonQuestion {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** A text field, if the action takes a text. */
  readonly field?: { readonly label: string; readonly isRequired: boolean; readonly hint?: string };
  /** Options to choose from; the chosen option is the answer. */
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

/** Resolves with the text or the chosen option (empty if neither was asked for), or with null on cancel. */
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
