import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { splitChildId } from "../contract/child-id.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
import { findStorySetting } from "../contract/story-setting.ts";
import type { Delegation } from "../journal/store.ts";
import { formatTodoLines } from "../journal/todo-lines.ts";
import { buildTodoDocument } from "../journal/todo-view.ts";
import type { RunTools } from "./ports/run-tools.ts";
import { readTodoList } from "./todos/read-todos.ts";

export { readTodoList };

export interface TodoFollower {
  /** Resolves when everything that has happened so far is written. */
  readonly stop: () => Promise<void>;
}

/**
 * Writes `.git/ambit/<manager>.state.json` for every manager that has a task list: a copy for other programs, and a
 * record of which worker did each task in which session (R165). The journal stays the truth; the next change rewrites a
 * lost or edited file. With AMBIT_DEBUG, or for a story at log level `debug` (DEBUG_DELEGATION), the log has every change
 * in full (R176).
 */
export function followTodos(tools: RunTools, log?: (line: string) => void): TodoFollower {
  let written: Promise<void> = Promise.resolve();
  const leave = tools.store.onEvent((event) => {
    const id = findManager(event);
    if (id !== undefined) written = written.then(() => exportTodoList(tools, id, log).catch(() => undefined));
  });
  return {
    stop: () => {
      leave();
      return written;
    },
  };
}

const meansOff: ReadonlySet<string | undefined> = new Set([undefined, "", "0", "false"]);

async function isDebugging({ environment, store }: RunTools, id: string): Promise<boolean> {
  if (!meansOff.has(environment["AMBIT_DEBUG"])) return true;
  const story = await store.story(id);
  return findStorySetting(story?.settings, "delegation.logging.level")?.value === "debug";
}

/** The manager whose list an event may have changed. */
function findManager(event: JournalEvent): string | undefined {
  if (event.type === "todos-updated") return event.delegation ?? event.story;
  if (event.type === "delegation-admitted")
    return event.data.todo === undefined ? undefined : event.data.parent;
  const { delegation } = event;
  if (event.type !== "delegation-closed" || delegation === null) return undefined;
  return splitChildId(delegation)?.parentId;
}

async function exportTodoList(tools: RunTools, id: string, log?: (line: string) => void): Promise<void> {
  const manager = await tools.store.delegation(id);
  if (manager === undefined) return;
  const { views } = await readTodoList(tools, manager);
  if (views.length === 0) return;
  writeTodoState(tools.stateDirectory, manager, views.map(buildTodoDocument));
  if (log === undefined || !(await isDebugging(tools, manager.story))) return;
  log(`Delegation lifecycle events of ${id}:`);
  for (const line of views.flatMap((todo) => formatTodoLines(buildTodoDocument(todo)))) log(`  ${line}`);
}

function writeTodoState(
  folder: string,
  { id, story, sessionId }: Delegation,
  todos: readonly object[],
): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id}.state.json`);
  const temporary = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  const text = JSON.stringify({ anchor_id: id, story, session_id: sessionId, todos }, null, 2);
  try {
    writeFileSync(temporary, `${text}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
