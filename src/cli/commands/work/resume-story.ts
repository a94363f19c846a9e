import { exitCode } from "../../../contract/exit-code.ts";
import type { Delegation, StoreReader } from "../../../journal/store.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { findTarget } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";
import { detached, followUpStory, readChanges, type Changes } from "./follow-up-story.ts";
import { followStory } from "./follow-story.ts";
import { onlyPeople } from "./only-people.ts";
import { startedSupervisor } from "./project-supervisor.ts";

/**
 * Goes on with what was interrupted, stopped or limited. Open work needs only a supervisor, which takes it up; what
 * ended goes on as a new story from the work that was kept.
 */
export async function resumeStory(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never resumes a story");
  const changes = readChanges(invocation);
  const detach = invocation.flag("detach");
  const old = await readStore(context, (reader) => readDelegation(reader, invocation.argument("id")));
  if (old === undefined) return nothingToResume;
  if (old.state !== "closed") return takeUp(context, old, { changes, detach });
  if (old.outcome === "completed") return alreadyCompleted(old);
  return followUpStory(context, { id: old.id, from: "work", changes, detach });
}

/** Undefined when there is nothing at all and nothing was named. */
export async function readDelegation(
  reader: StoreReader | undefined,
  word: string,
): Promise<Delegation | undefined> {
  const target = await findTarget(reader, word);
  return target === undefined ? undefined : reader?.delegation(target.id);
}

async function takeUp(
  context: CommandContext,
  { id, story, state }: Delegation,
  { changes, detach }: { readonly changes: Changes; readonly detach: boolean },
): Promise<CommandOutcome> {
  const [changed] = Object.keys(changes);
  if (changed !== undefined)
    throw usage(
      `${id} has not ended (it is ${state}), so its contract cannot be changed`,
      `Leave the options away to go on with it, or stop it first: ambit stop ${id}`,
    );
  const client = await startedSupervisor(context);
  try {
    return detach ? detached(story, story) : await followStory(context, client, story);
  } finally {
    client.close();
  }
}

const nothingToResume: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { story: null, outcome: null },
  text: nothingYet,
};

function alreadyCompleted({ id, story, outcome }: Delegation): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: { story, after: id, outcome },
    text: `${id} is completed; there is nothing to go on with.\n  next   ambit merge ${story}    ambit retry ${id}`,
  };
}
