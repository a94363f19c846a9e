/** Two texts as sentences of one line. Workers often leave out the full stop. */
export function joinSentences(first: string, second: string): string {
  if (first === "" || second === "") return `${first}${second}`;
  return /[.!?:;…]$/.test(first) ? `${first} ${second}` : `${first}. ${second}`;
}
