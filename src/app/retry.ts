import { workErrors } from "../errors/work.ts";
import { findDelegation } from "./project/find-target.ts";
import { checkChanges, followUpInput, followUpOutput, startFollowUp } from "./follow/follow-up.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

/** Starts over with the same contract, from where the old work began. The old branch and records stay. */
export const retryUseCase = defineUseCase({
  input: followUpInput,
  output: followUpOutput,
  onlyPeople: "never retries a story",
  runsProject: true,
  run: async (context, { id: word, changes, detach }) => {
    checkChanges(changes);
    const old = await readStore(context, (reader) => findDelegation(reader, word));
    if (old === undefined) return { story: null, outcome: null };
    const { id, state } = old;
    if (state !== "closed") throw workErrors.notEnded(id, state);
    return startFollowUp(context, { id, from: "base", changes, detach });
  },
});
