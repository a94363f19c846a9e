/** Anywhere in a criterion, these make it a matter of taste unless it also names something measurable. */
const vaguePhrases = [
  "works correctly",
  "work correctly",
  "works properly",
  "work properly",
  "works as expected",
  "work as expected",
  "works as intended",
  "works fine",
  "works well",
  "functions correctly",
  "functions properly",
  "behaves correctly",
  "behaves as expected",
  "looks good",
  "looks fine",
  "looks nice",
  "looks ok",
  "looks right",
  "good enough",
  "high quality",
  "good quality",
  "user friendly",
  "as needed",
  "as appropriate",
] as const;

/** Too short to mean anything when they are the whole criterion. */
const emptyWords: ReadonlySet<string> = new Set([
  "",
  "works",
  "it works",
  "everything works",
  "done",
  "is done",
  "complete",
  "completed",
  "finished",
  "fixed",
  "good",
  "ok",
  "fast",
  "improved",
  "better",
  "no issues",
  "no problems",
  "no bugs",
]);

export interface CriterionWarning {
  readonly code: "VAGUE_CRITERION";
  readonly message: string;
}

/** Warns about a criterion that cannot be checked (R177); a number, a command or a path makes it checkable. */
export function lintCriteria(text: string): CriterionWarning | undefined {
  const words = normalizeWords(text);
  const isVague =
    emptyWords.has(words) || vaguePhrases.some((phrase) => ` ${words} `.includes(` ${phrase} `));
  if (!isVague || isMeasurable(text)) return undefined;
  const advice = 'Name a command, a file or a number, for example "npm test exits with code 0".';
  return { code: "VAGUE_CRITERION", message: `Criterion "${text.trim()}" cannot be measured. ${advice}` };
}

function normalizeWords(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]/u)
    .filter((word) => word !== "")
    .join(" ");
}

/** Digits, quoted or back-quoted text, comparisons and paths can be checked. */
function isMeasurable(text: string): boolean {
  return /[0-9`"<>=/]/.test(text);
}
