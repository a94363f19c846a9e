import type { StoreReader } from "../../journal/store.ts";
import { canGoOn, findDriver } from "./find-driver.ts";

const MAX_STORIES = 1000;

/** An open story whose work could go on and that no process drives. */
export interface StandingStory {
  readonly story: string;
  readonly title: string;
  readonly resume_with: string;
}

/** The interrupted stories of a project; none while a supervisor runs. */
export async function listStandingStories(
  reader: StoreReader | undefined,
  directory: string,
): Promise<readonly StandingStory[]> {
  if (reader === undefined || findDriver({ directory }) !== undefined) return [];
  const approvals = await reader.openApprovals(MAX_STORIES);
  const asking = new Set(approvals.map(({ delegation }) => delegation));
  const standing: StandingStory[] = [];
  for (const id of await reader.openStories(MAX_STORIES)) {
    if (!canGoOn(await reader.storyOutline(id), asking)) continue;
    const title = (await reader.story(id))?.title ?? "";
    standing.push({ story: id, title, resume_with: `ambit resume ${id}` });
  }
  return standing;
}
