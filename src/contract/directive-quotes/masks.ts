export interface Masks {
  /** What is Markdown code; marks in it mean nothing. */
  readonly code: Uint8Array;
  /** What is quoted; only ever added to. */
  readonly mask: Uint8Array;
}
