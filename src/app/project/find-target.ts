import { DelegationError } from "../../base/delegation-error.ts";
import { childId, isBelow } from "../../contract/child-id.ts";
import type { Delegation, Story, StoreReader } from "../../journal/store.ts";
import { usageError } from "../../errors/usage.ts";
import { quoteExcerpt } from "../../base/visible-text.ts";

/** The subject of a report: a story, or one delegation in it. */
export interface Target {
  readonly story: Story;
  /** The story's own id, or that of the delegation that was named. */
  readonly id: string;
}

/**
 * Finds what a word means: a whole id, a task path such as `2.1` in the newest story, a beginning that fits only one,
 * `@last`, or nothing for the newest story. Undefined when there is no story at all and none was named.
 */
export async function findTarget(reader: StoreReader | undefined, word: string): Promise<Target | undefined> {
  if (word === "" || word === "@last") {
    const [story] = (await reader?.stories(1)) ?? [];
    return story === undefined ? undefined : { story, id: story.id };
  }
  if (reader === undefined) throw notFound(word, []);
  const id =
    (await findExact(reader, word)) ?? (await findByPath(reader, word)) ?? (await findByPrefix(reader, word));
  const delegation = await reader.delegation(id);
  const story = delegation === undefined ? undefined : await reader.story(delegation.story);
  if (story === undefined) throw notFound(word, []);
  return { story, id };
}

/** The delegation that a word means; undefined when there is no story at all and none was named. */
export async function findDelegation(
  reader: StoreReader | undefined,
  word: string,
): Promise<Delegation | undefined> {
  const target = await findTarget(reader, word);
  return target === undefined ? undefined : reader?.delegation(target.id);
}

/** A story is also the root delegation of its tree, so one look finds both. */
async function findExact(reader: StoreReader, word: string): Promise<string | undefined> {
  return (await reader.delegation(word))?.id;
}

const TASK_PATH = /^[1-9]\d{0,5}(?:\.[1-9]\d{0,5}){0,2}$/;

/** `2.1` is the first worker of the second worker of the newest story, as trees number them. */
async function findByPath(reader: StoreReader, word: string): Promise<string | undefined> {
  if (!TASK_PATH.test(word)) return undefined;
  const [newest] = await reader.stories(1);
  if (newest === undefined) return undefined;
  const id = word.split(".").reduce((manager, number) => childId(manager, Number(number)), newest.id);
  return findExact(reader, id);
}

const SHOWN = 5;
const SEARCHED = 200;

async function findByPrefix(reader: StoreReader, prefix: string): Promise<string> {
  const stories = await reader.storyIds({ prefix, limit: SHOWN + 1 });
  const found = stories.length > 0 ? stories : withoutWorkers(await searchDelegations(reader, prefix));
  const [first] = found;
  if (first === undefined) throw notFound(prefix, await reader.stories(SHOWN));
  if (found.length === 1) return first;
  const shown = found.slice(0, SHOWN).join(", ");
  const more = found.length > SHOWN ? ", …" : "";
  throw usageError(
    `"${quoteExcerpt(prefix)}" fits more than one id: ${shown}${more}`,
    "Write more of the id.",
  );
}

function searchDelegations(reader: StoreReader, prefix: string): Promise<readonly string[]> {
  return reader.delegationIds({ prefix, limit: SEARCHED });
}

/** Workers of something that fits begin with the same text and are not meant. */
function withoutWorkers(ids: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const id of ids) {
    if (!found.some((manager) => isBelow(id, manager))) found.push(id);
  }
  return found;
}

function notFound(word: string, stories: readonly Story[]): DelegationError {
  const known = stories.map(({ id }) => id).join(", ");
  return new DelegationError({
    code: "STORY_NOT_FOUND",
    message: `No story or delegation here begins with "${quoteExcerpt(word)}".`,
    recommendation:
      known === ""
        ? "Nothing has been delegated here yet; check the directory."
        : `Newest here: ${known}; a path such as 2.1 means a worker of the newest.`,
  });
}
