/** The general meaning of a code, and the usual way out. */
export type CodeMeaning = readonly [meaning: string, advice: string];
