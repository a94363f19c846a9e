import type { Delegation } from "../journal/store.ts";
import { workErrors } from "../errors/work.ts";
import type { AppContext } from "./project/app-context.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { findDelegation } from "./project/find-target.ts";
import {
  checkChanges,
  followUpInput,
  followUpOutput,
  startFollowUp,
  type Changes,
  type FollowUpAnswer,
} from "./follow/follow-up.ts";
import { followStory } from "./follow/follow-story.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

/**
 * Continues work that was interrupted, stopped or limited. Open work only needs a supervisor, which continues it; ended
 * work continues as a new story from the work that was kept.
 */
export const resumeUseCase = defineUseCase({
  input: followUpInput,
  output: followUpOutput,
  onlyPeople: "never resumes a story",
  runsProject: true,
  run: async (context, { id: word, changes, detach }) => {
    checkChanges(changes);
    const old = await readStore(context, (reader) => findDelegation(reader, word));
    if (old === undefined) return { story: null, outcome: null };
    if (old.state !== "closed") return continueOpen(context, old, { changes, detach });
    const { id, story, outcome } = old;
    if (outcome === "completed") return { story, after: id, outcome };
    return startFollowUp(context, { id, from: "work", changes, detach });
  },
});

function continueOpen(
  context: AppContext,
  { id, story, state }: Delegation,
  { changes, detach }: { readonly changes: Changes; readonly detach: boolean | undefined },
): Promise<FollowUpAnswer> {
  if (Object.values(changes).some((value) => value !== undefined)) throw workErrors.contractFixed(id, state);
  return withSupervisor(context, async (client) =>
    detach === true ? { story, after: story, outcome: null } : await followStory(context, client, { story }),
  );
}
