/** What a code means, and what to do about it. */
export type CodeMeaning = readonly [meaning: string, next: string];
