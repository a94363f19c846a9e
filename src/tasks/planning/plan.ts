import { parseTodo } from "../markdown/parse-todo.ts";
import { type Agreed, type AgreedTask, type AgreedTasks, isSame, renderAgreed } from "../files/agreed.ts";
import { hashOf } from "../files/pending-state.ts";
import { readTodoValues } from "../markdown/todo-values.ts";
import { readStateValues } from "../model/tracked-fields.ts";
import { parseState } from "../files/state-file.ts";
import type { Draft } from "./draft.ts";
import { renderArchive } from "./render-archive.ts";
import { renderProjectFiles } from "./render-project.ts";
import { renderState } from "./render-state.ts";
import { renderTodo } from "./render-todo.ts";

/** One effect. `before` and `after` are whole contents; undefined means no file. */
export type PlanStep =
  | {
      readonly kind: "write";
      readonly path: string;
      readonly before: string | undefined;
      readonly after: string;
    }
  | { readonly kind: "move"; readonly from: string; readonly to: string };

/** All that an operation will do to the disk, in the order in which it is safe to be killed. */
export interface Plan {
  /** Paths relative to the project's root; the last step, if it is our own record, has an absolute one. */
  readonly steps: readonly PlanStep[];
  readonly filesUpdated: readonly string[];
  /** Tasks that change from one list to the other. */
  readonly moved: readonly string[];
}

/**
 * The order matters: a task enters its new list before it leaves the old one, TODO.md follows state.json, and our own
 * record of what is agreed comes last, because it says that all the others are done.
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
  const filesUpdated = updatedFiles(steps);
  write(place.snapshot, texts.agreed, renderAgreed(agreedAfter(draft, { state, todo })));
  const moved = [...draft.tasks.values()].filter(({ was, now }) => was !== now).map(({ id }) => id);
  return { steps, filesUpdated, moved };
}

function updatedFiles(steps: readonly PlanStep[]): readonly string[] {
  return [...new Set(steps.map((step) => (step.kind === "write" ? step.path : step.to)))];
}

/** What both files say once the plan is done, read from the very texts that will be written. */
function agreedAfter(
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
  const isAgreed = [...tasks.values()].every((task) => isSame(task.state, task.todo));
  const hash = hashOf(state);
  const others = (agreed?.hashes ?? []).filter((known) => known !== hash);
  return {
    tasks,
    seen: draft.usedNumbers(),
    hashes: isAgreed && state !== undefined ? [...others, hash] : others,
    bases: basesAfter(draft, { state, todo }),
  };
}

/** A state.json that had to be merged may come back with its branch; then it is compared with the same again. */
function basesAfter(
  { sources }: Draft,
  { state, todo }: { readonly state: string | undefined; readonly todo: string | undefined },
): Agreed["bases"] {
  const { agreed, base, isStateAgreed, texts } = sources;
  const known = agreed?.bases ?? new Map<string, AgreedTasks>();
  const isMerged = state !== texts.state || todo !== texts.todo;
  if (base === undefined || isStateAgreed || texts.state === undefined || !isMerged) return known;
  const hash = hashOf(texts.state);
  return new Map([...[...known].filter(([other]) => other !== hash), [hash, base]]);
}
