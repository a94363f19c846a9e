/** One word that could stand here, with a few words about it. */
export interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** What a shell does besides: complete file names, or folders only. */
export type Fallback = "files" | "folders" | "none";

export interface Completion {
  readonly candidates: readonly Candidate[];
  readonly fallback: Fallback;
}

export const nothing: Completion = { candidates: [], fallback: "none" };
