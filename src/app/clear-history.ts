import * as z from "zod";
import { workErrors } from "../errors/work.ts";
import { removeJournalAnchor } from "../workspace/journal-anchor.ts";
import { listStoryBranches } from "../workspace/story-branches.ts";
import { asProjectOwner } from "../supervisor/project-lock.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject, openWorkspaces, readStore } from "./project/open-project.ts";
import { stopSupervisorUseCase } from "./stop-supervisor.ts";
import { defineUseCase } from "./use-case.ts";

const MAX_NAMED = 5;

/**
 * Takes the journal out of use, with everything made from it: reports begin again at nothing (R130). It is moved aside, not
 * deleted; branches and commits stay. Refused while work is open or proven work is not merged, because both need it.
 */
export const clearHistoryUseCase = defineUseCase({
  input: () => z.strictObject({ dryRun: z.boolean().optional() }),
  output: () =>
    z.looseObject({
      events: z.int().describe("How many the journal has"),
      aside: z.string().nullable().describe("The folder that holds the history now"),
    }),
  onlyPeople: "never removes the history",
  run: async (context, { dryRun = false }) => {
    const events = await countEvents(context);
    if (dryRun || events === 0) return { events, aside: null };
    await stopSupervisorUseCase.run(context, { force: false });
    const { root, storeFile } = findProject(context);
    const { repository } = await openWorkspaces(context);
    const aside = await asProjectOwner({ projectRoot: root, version: context.version }, async () => {
      // Something may have started since.
      await countEvents(context);
      const { setHistoryAside } = await import("../journal/set-history-aside.ts");
      const folder = setHistoryAside(storeFile, new Date().toISOString());
      await removeJournalAnchor(repository);
      return folder;
    });
    return { events, aside: aside ?? null };
  },
});

/** Refuses a journal that something still needs. */
async function countEvents(context: AppContext): Promise<number> {
  const { repository } = await openWorkspaces(context);
  const unmerged = [...listStoryBranches(repository.commonDirectory)].filter(([, { isMerged }]) => !isMerged);
  const { readMembership } = await import("../journal/cluster.ts");
  if (readMembership(findProject(context).storeFile) !== undefined) throw workErrors.historyInCluster();
  return readStore(context, async (reader) => {
    if (reader === undefined) return 0;
    const open = await reader.openStories(MAX_NAMED);
    if (open.length > 0) throw workErrors.historyInUse(open);
    const known: string[] = [];
    for (const [story] of unmerged) if ((await reader.story(story)) !== undefined) known.push(story);
    if (known.length > 0) throw workErrors.historyHoldsWork(known.slice(0, MAX_NAMED), known.length);
    return (await reader.head()).seq;
  });
}
