const CONTEXT = 3;
const MAX_LINE_LENGTH = 400;

/** A unified diff of two texts that differ in one place, or in places close to each other. */
export function lineDiff(file: string, before: string | undefined, after: string | undefined): string {
  const [old, fresh] = [splitLines(before), splitLines(after)];
  const head = countCommonHead(old, fresh);
  const tail = countCommonHead(old.slice(head).toReversed(), fresh.slice(head).toReversed());
  const from = Math.max(0, head - CONTEXT);
  const kept = old.slice(old.length - tail, old.length - tail + CONTEXT);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...kept.map((line) => ` ${line}`),
  ];
  const range = (all: readonly string[]): string => {
    const count = all.length - tail - from + kept.length;
    return `${count === 0 ? 0 : from + 1},${count}`;
  };
  return [
    `--- ${before === undefined ? "/dev/null" : file}`,
    `+++ ${after === undefined ? "/dev/null" : file}`,
    `@@ -${range(old)} +${range(fresh)} @@`,
    ...lines.map(shortenLine),
  ].join("\n");
}

/** A final line end does not start another line; a text without one is marked. */
function splitLines(text = ""): readonly string[] {
  const lines = text.split("\n").slice(0, -1);
  const rest = text.slice(text.lastIndexOf("\n") + 1);
  return rest === "" ? lines : [...lines, `${rest}\u2424 (no line end)`];
}

function countCommonHead(one: readonly string[], other: readonly string[]): number {
  const first = one.findIndex((line, index) => line !== other[index]);
  return first === -1 ? one.length : first;
}

/** Some programs keep all their settings on one line. */
function shortenLine(line: string): string {
  return line.length <= MAX_LINE_LENGTH
    ? line
    : `${line.slice(0, MAX_LINE_LENGTH)}… (${line.length} characters)`;
}
