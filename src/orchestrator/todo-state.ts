import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { splitChildId } from "../contract/child-id.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
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
 * Writes `.git/ambit/<manager>.state.json` for every manager that has a task list: a copy for other programs, and the
 * record of who did what in which session (R165). The journal stays the truth; the next change rewrites a lost or edited
 * file. With AMBIT_DEBUG or DEBUG_DELEGATION the log has every change in full (R176).
 */
export function followTodos(tools: RunTools, log?: (line: string) => void): TodoFollower {
  const debug = isDebugging(tools.environment) ? log : undefined;
  let written: Promise<void> = Promise.resolve();
  const leave = tools.store.onEvent((event) => {
    const id = findManager(event);
    if (id !== undefined)
      written = written.then(() => exportTodoList(tools, id, debug).catch(() => undefined));
  });
  return {
    stop: () => {
      leave();
      return written;
    },
  };
}

const debugNames = ["AMBIT_DEBUG", "DEBUG_DELEGATION"] as const;
const meansOff: ReadonlySet<string | undefined> = new Set([undefined, "", "0", "false"]);

function isDebugging(environment: RunTools["environment"]): boolean {
  return debugNames.some((name) => !meansOff.has(environment[name]));
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

async function exportTodoList(tools: RunTools, id: string, debug?: (line: string) => void): Promise<void> {
  const manager = await tools.store.delegation(id);
  if (manager === undefined) return;
  const { views } = await readTodoList(tools, manager);
  if (views.length === 0) return;
  writeTodoState(tools.stateDirectory, manager, views.map(buildTodoDocument));
  if (debug === undefined) return;
  debug(`Delegation lifecycle events of ${id}:`);
  for (const line of views.flatMap((todo) => formatTodoLines(buildTodoDocument(todo)))) debug(`  ${line}`);
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
