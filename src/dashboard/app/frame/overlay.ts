import { createStore } from "../live/store.ts";

/** A question to the person before an action runs in their name. */
export interface PersonQuestion {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** A text field, if the action takes a text. */
  readonly field?: { readonly label: string; readonly isRequired: boolean; readonly hint?: string };
  /** Numbers that may be left empty. */
  readonly amounts?: readonly AskedAmount[];
  /** Options to choose from; the chosen option is the answer. */
  readonly choice?: { readonly label: string; readonly options: readonly Option[] };
}

export interface AskedAmount {
  readonly name: string;
  readonly label: string;
}

/** The text or choice of the person (empty if neither was asked for), and the given numbers. */
export interface Given {
  readonly text: string;
  readonly amounts: Readonly<Record<string, number>>;
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
      readonly answer: (given: Given | null) => void;
    };

export const overlay = createStore<Overlay>({ kind: "none" });

export function openOverlay(next: Overlay): void {
  overlay.set(() => next);
}

export function closeOverlay(): void {
  overlay.set(() => ({ kind: "none" }));
}

/** Resolves with the text or the chosen option (empty if neither was asked for), or with null on cancel. */
export async function askPerson(question: PersonQuestion): Promise<string | null> {
  return (await askAmounts(question))?.text ?? null;
}

/** The same with the numbers that were asked for. */
export function askAmounts(question: PersonQuestion): Promise<Given | null> {
  return new Promise((resolve) => {
    openOverlay({
      kind: "question",
      question,
      answer: (given) => {
        closeOverlay();
        resolve(given);
      },
    });
  });
}
