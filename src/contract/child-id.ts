const CHILD_DIGITS = 3;
const SEPARATOR = "-DEL-";

/** `<parent>-DEL-001`; numbers above 999 simply grow wider. */
export function childId(parentId: string, number: number): string {
  return `${parentId}${SEPARATOR}${String(number).padStart(CHILD_DIGITS, "0")}`;
}

/** How many delegations lie between a story and this id: its `-DEL-` segments. */
export function depthOfId(id: string): number {
  return id.match(/-DEL-\d{3,}/g)?.length ?? 0;
}

/** The parent's id and the worker's number below it; undefined for the id of a story. */
export function splitChildId(
  id: string,
): { readonly parentId: string; readonly number: number | undefined } | undefined {
  const at = id.lastIndexOf(SEPARATOR);
  if (at === -1) return undefined;
  const digits = id.slice(at + SEPARATOR.length);
  const number = digits === "" ? Number.NaN : Number(digits);
  const isCount = Number.isSafeInteger(number) && number > 0;
  return { parentId: id.slice(0, at), number: isCount ? number : undefined };
}
