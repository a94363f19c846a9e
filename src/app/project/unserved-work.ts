import * as z from "zod";
import { readMembership } from "../../journal/refresh-tables.ts";
import type { OutlinedDelegation, StoreReader } from "../../journal/store.ts";

/** Those that wait longest tell enough: what is behind them waits for the same machines. */
const MAX_READ = 20;

export const unservedSchema = () =>
  z.looseObject({
    story: z.string(),
    delegation: z.string(),
    description: z.string(),
    text: z.string().describe("Which machine is missing, and the command that makes one"),
    told_at: z.string(),
  });

export type UnservedWork = z.output<ReturnType<typeof unservedSchema>>;

const MAX_STORIES = 100;

/** That of all open stories. */
export async function readAllUnservedWork(storeFile: string, reader: StoreReader): Promise<UnservedWork[]> {
  if (readMembership(storeFile) === undefined) return [];
  const found: UnservedWork[] = [];
  for (const story of await reader.openStories(MAX_STORIES))
    found.push(...(await readUnservedWork(storeFile, reader, await reader.storyOutline(story))));
  return found;
}

/** Work that waits because no machine of the cluster serves its pool. The coordinator tells that after a minute. */
export async function readUnservedWork(
  storeFile: string,
  reader: StoreReader,
  tree: readonly OutlinedDelegation[],
): Promise<readonly UnservedWork[]> {
  const queued = tree.filter(({ state }) => state === "queued").slice(0, MAX_READ);
  if (queued.length === 0 || readMembership(storeFile) === undefined) return [];
  // Reading events loads their schemas, which a command that starts fast does without.
  const { readEvents } = await import("./journal-events.ts");
  const found = await Promise.all(
    queued.map(async ({ id, story, description }) => {
      const events = await readEvents(reader, { delegation: id });
      const newest = events.findLast(
        ({ type, data }) => type === "attempt-started" || (type === "note-added" && "unserved" in data),
      );
      if (newest?.type !== "note-added" || newest.data.unserved !== true) return [];
      return [{ story, delegation: id, description, text: newest.data.text, told_at: newest.at }];
    }),
  );
  return found.flat();
}
