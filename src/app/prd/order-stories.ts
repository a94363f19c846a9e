import type { UserStory } from "../../contract/story.ts";
import { workErrors } from "../../errors/work.ts";

/**
 * The order in which the stories of a file run: after everything they depend on, and among those that could be next the
 * one with the lowest priority number, then the first in the file. Refuses stories that wait for each other.
 */
export function orderStories(file: string, stories: readonly UserStory[]): readonly UserStory[] {
  const ids = new Set(stories.map(({ id }) => id));
  const ordered: UserStory[] = [];
  const placed = new Set<string>();
  const waiting = stories.toSorted((one, other) => one.priority - other.priority);
  while (waiting.length > 0) {
    const index = waiting.findIndex(({ dependencies }) =>
      dependencies.every((id) => placed.has(id) || !ids.has(id)),
    );
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    if (next === undefined) {
      const reason = `its stories wait for each other: ${findCycle(waiting).join(" → ")}`;
      throw workErrors.unusablePrd(file, reason, undefined);
    }
    ordered.push(next);
    placed.add(next.id);
  }
  return ordered;
}

/** Every story left waits for another one that is left, so following them ends in a circle. */
function findCycle(waiting: readonly UserStory[]): readonly string[] {
  const path: string[] = [];
  let at = waiting[0];
  while (at !== undefined && !path.includes(at.id)) {
    path.push(at.id);
    const { dependencies } = at;
    at = waiting.find(({ id }) => dependencies.includes(id));
  }
  return at === undefined ? path : [...path.slice(path.indexOf(at.id)), at.id];
}
