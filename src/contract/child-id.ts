const CHILD_DIGITS = 3;
/** Joins a manager's id with a worker's number. Only this file knows how ids are put together. */
const SEPARATOR = "-DEL-";
const SHORT_PREFIX = SEPARATOR.slice(1);

/** `<parent>-DEL-001`; numbers above 999 simply grow wider. */
export function childId(parentId: string, number: number): string {
  return `${parentId}${SEPARATOR}${String(number).padStart(CHILD_DIGITS, "0")}`;
}

/** How many delegations lie between a story and this id. */
export function depthOfId(id: string): number {
  return id.match(/-DEL-\d{3,}/g)?.length ?? 0;
}

/** `DEL-002`, as a manager names its own second worker, becomes the whole id; any other name stays as it is. */
export function expandChildId(managerId: string, name: string): string {
  return name.startsWith(SHORT_PREFIX) ? `${managerId}-${name}` : name;
}

/** Whether an id names a worker below this manager, at any depth. */
export function isBelow(id: string, managerId: string): boolean {
  return id.startsWith(`${managerId}${SEPARATOR}`);
}

/** Whether an id names a worker that this manager started itself. */
export function isDirectChild(id: string, managerId: string): boolean {
  return isBelow(id, managerId) && !id.includes(SEPARATOR, managerId.length + SEPARATOR.length);
}

/** The manager's id and the worker's number below it; undefined for the id of a story. */
export function splitChildId(
  id: string,
): { readonly parentId: string; readonly number: number | undefined } | undefined {
  const end = id.lastIndexOf(SEPARATOR);
  if (end === -1) return undefined;
  const digits = id.slice(end + SEPARATOR.length);
  const number = digits === "" ? Number.NaN : Number(digits);
  const isCount = Number.isSafeInteger(number) && number > 0;
  return { parentId: id.slice(0, end), number: isCount ? number : undefined };
}

export function findStoryId(id: string): string {
  return id.split(SEPARATOR, 1)[0] ?? id;
}

/** The worker's place in the tree, such as `2.1` for the first worker of the story's second; undefined outside the story. */
export function formatPlace(id: string, story: string): string | undefined {
  if (!isBelow(id, story)) return undefined;
  return id
    .slice(story.length + SEPARATOR.length)
    .split(SEPARATOR)
    .map(Number)
    .join(".");
}
