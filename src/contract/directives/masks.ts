export interface Masks {
  /** Markdown code; quotation marks in it do not count. */
  readonly code: Uint8Array;
  /** Quoted text; rules only add to it. */
  readonly mask: Uint8Array;
}
