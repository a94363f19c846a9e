const CHILD_DIGITS = 3;

/** `<parent>-DEL-001`; numbers above 999 simply grow wider. */
export function childId(parentId: string, number: number): string {
  return `${parentId}-DEL-${String(number).padStart(CHILD_DIGITS, "0")}`;
}

/** How many delegations lie between a story and this id: its `-DEL-` segments. */
export function depthOfId(id: string): number {
  return id.match(/-DEL-\d{3,}/g)?.length ?? 0;
}
