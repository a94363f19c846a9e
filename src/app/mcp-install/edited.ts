/** A text that cannot be edited: the place and the reason. */
export interface Broken {
  readonly kind: "broken";
  readonly at: number;
  readonly why: string;
}

/** The text after an edit; unchanged if there was nothing to do. */
export type Edited = { readonly kind: "edited"; readonly text: string } | Broken;

export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
