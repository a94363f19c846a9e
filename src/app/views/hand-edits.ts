import * as z from "zod";
import { taskStatuses } from "../../contract/task.ts";
import type { TaskChange } from "../../tasks/task.ts";
import type { TaskCard } from "./types/board.ts";

/** The fields of a card that a person can write into a file; others are ignored. */
const editSchema = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  status: z.enum(taskStatuses).optional().catch(undefined),
  priority: z.string().optional(),
  language: z.string().optional(),
  dependencies: z
    .array(z.string().transform((id) => ({ id, isDone: false })))
    .optional()
    .catch(undefined),
});

/** The cards as the files say them now: changed, added and removed by hand since both files agreed. */
export function applyHandEdits(
  cards: readonly TaskCard[],
  changes: readonly TaskChange[],
): readonly TaskCard[] {
  const byTask = new Map(changes.map((change) => [change.taskId, change]));
  const known = cards.flatMap((card) => {
    const change = byTask.get(card.id);
    if (change === undefined) return [card];
    return change.kind === "removed" || change.kind === "archived" ? [] : [editCard(card, change)];
  });
  const ids = new Set(cards.map(({ id }) => id));
  const added = changes.filter(({ taskId, kind }) => kind === "adopted" && !ids.has(taskId));
  return [...known, ...added.map((change) => editCard(createCard(change.taskId), change))];
}

/** `2: title "Old" → "New" in TODO.md`. */
export function describeHandEdit({ taskId, kind, source, fields, before }: TaskChange): string {
  const edits = Object.entries(fields).map(([name, value]) =>
    kind === "changed" ? `${name} ${quote(before[name])} → ${quote(value)}` : name,
  );
  const what = kind === "adopted" ? "new" : kind === "changed" ? edits.join(", ") : kind;
  return `${taskId}: ${what} in ${source}`;
}

function quote(value: unknown): string {
  return value === undefined || value === null ? "nothing" : JSON.stringify(value);
}

function editCard(card: TaskCard, { fields, kind }: TaskChange): TaskCard {
  const parsed = editSchema.safeParse(fields);
  const given = Object.entries(parsed.success ? parsed.data : {}).filter(([, value]) => value !== undefined);
  // Its agreed status decides where it may move, so only the place of the card follows the file.
  return {
    ...card,
    ...Object.fromEntries(given),
    edited: kind === "adopted" ? ["new"] : given.map(([name]) => name),
  };
}

/** A task that is in a file and nowhere else; it can be moved once it was taken over. */
function createCard(id: string): TaskCard {
  return {
    id,
    number: null,
    title: id,
    description: "",
    status: "unknown",
    priority: "medium",
    language: "general",
    parent: null,
    subtasks: [],
    subtasksDone: 0,
    dependencies: [],
    artifacts: [],
    moves: [],
    edited: [],
  };
}
