import { parseTodo } from "../markdown/parse-todo.ts";
import {
  type Agreed,
  type AgreedTask,
  type AgreedTasks,
  hasSameValues,
  renderAgreed,
} from "../files/agreed.ts";
import { hashFileText } from "../files/pending-state.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { readStateValues } from "../model/tracked-fields.ts";
import { parseState } from "../files/state-file.ts";
import type { Draft } from "./draft.ts";
import { renderArchive } from "./render-archive.ts";
import { renderProjectFiles } from "./render-project.ts";
import { renderState } from "./render-state.ts";
import { renderTodo } from "./render-todo.ts";

/** One effect. `before` and `after` are whole contents; undefined means that the file does not exist. */
export type PlanStep =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly before: string | undefined;
      readonly after: string;
    }
  | { readonly kind: "move"; readonly from: string; readonly to: string };

/** All effects of an operation, in an order in which a kill after any of them is safe. */
export interface Plan {
  /** Paths are relative to the project's root, except that of the agreed record, which is the last step. */
  readonly steps: readonly PlanStep[];
  readonly filesUpdated: readonly string[];
  /** Tasks that move from one list to the other. */
  readonly moved: readonly string[];
}

/**
 * The order matters: a task enters its new list before it leaves the old one, TODO.md follows state.json, and the agreed
 * record comes last, because it says that all other files are written.
 */
export function buildPlan(draft: Draft): Plan {
  const { place, texts } = draft.sources;
  const state = renderState(draft);
  const todo = renderTodo(draft);
  const archive = renderArchive(draft);
  const project = renderProjectFiles(draft);
  const steps: PlanStep[] = [];
  const write = (path: string, before: string | undefined, after: string | undefined): void => {
    if (after !== undefined && after !== before) steps.push({ kind: "write", path, before, after });
  };
  write(place.paths.archive, texts.archive, archive.filled);
  for (const { path, before, text } of project.writes) write(path, before, text);
  for (const move of project.moves) steps.push({ kind: "move", ...move });
  write(place.paths.state, texts.state, state);
  write(place.paths.todo, texts.todo, todo);
  write(place.paths.archive, archive.filled, archive.final);
  const filesUpdated = listUpdatedFiles(steps);
  write(place.snapshot, texts.agreed, renderAgreed(buildAgreedRecord(draft, { state, todo })));
  const moved = [...draft.tasks.values()].filter(({ was, now }) => was !== now).map(({ id }) => id);
  return { steps, filesUpdated, moved };
}

function listUpdatedFiles(steps: readonly PlanStep[]): readonly string[] {
  return [...new Set(steps.map((step) => (step.kind === "write" ? step.path : step.to)))];
}

/** The agreed record after the plan, read from the very texts that will be written. */
function buildAgreedRecord(
  draft: Draft,
  { state, todo }: { readonly state: string | undefined; readonly todo: string | undefined },
): Agreed {
  const { place, agreed } = draft.sources;
  const document = todo === undefined ? undefined : parseTodo(todo, place.paths.todo);
  const tasks = new Map<string, AgreedTask>();
  for (const [id, raw] of parseState(state, place.paths.state).tasks) {
    const entry = document?.entries.get(id);
    const shown = entry === undefined || document === undefined ? undefined : readTodoValues(document, entry);
    tasks.set(id, { state: readStateValues(raw), todo: shown });
  }
  for (const [id, entry] of document?.entries ?? []) {
    if (document !== undefined && !tasks.has(id))
      tasks.set(id, { state: undefined, todo: readTodoValues(document, entry) });
  }
  const isAgreed = [...tasks.values()].every((task) => hasSameValues(task.state, task.todo));
  const hash = hashFileText(state);
  const others = (agreed?.hashes ?? []).filter((known) => known !== hash);
  return {
    tasks,
    seen: draft.listUsedNumbers(),
    hashes: isAgreed && state !== undefined ? [...others, hash] : others,
    bases: buildAgreedBases(draft, { state, todo }),
  };
}

/** A merged state.json may come back with its branch; it then needs the same base again. */
function buildAgreedBases(
  { sources }: Draft,
  { state, todo }: { readonly state: string | undefined; readonly todo: string | undefined },
): Agreed["bases"] {
  const { agreed, base, isStateAgreed, texts } = sources;
  const known = agreed?.bases ?? new Map<string, AgreedTasks>();
  const isMerged = state !== texts.state || todo !== texts.todo;
  if (base === undefined || isStateAgreed || texts.state === undefined || !isMerged) return known;
  const hash = hashFileText(texts.state);
  return new Map([...[...known].filter(([other]) => other !== hash), [hash, base]]);
}
