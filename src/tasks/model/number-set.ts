/** Reads task numbers from `1-300,305`, a form that stays short however many tasks a project has had. */
export function parseNumberSet(text: string): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const part of text === "" ? [] : text.split(",")) {
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    const end = Math.min(last, first + MAX_RUN_LENGTH);
    for (let number = first; number <= end; number += 1) numbers.add(number);
  }
  return numbers;
}

/** More tasks than any project has; a damaged record must not fill the memory. */
const MAX_RUN_LENGTH = 1_000_000;

export function renderNumberSet(numbers: Iterable<number>): string {
  const sorted = [...new Set(numbers)].toSorted((left, right) => left - right);
  const parts: string[] = [];
  for (let index = 0; index < sorted.length; index += 1) {
    const first = sorted[index] ?? 0;
    let last = first;
    while (sorted[index + 1] === last + 1) {
      index += 1;
      last += 1;
    }
    parts.push(first === last ? String(first) : `${first}-${last}`);
  }
  return parts.join(",");
}
