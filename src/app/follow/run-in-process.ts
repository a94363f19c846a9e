import { visibleText } from "../../base/visible-text.ts";
import { resolveConfig } from "../../config/load-config.ts";
import { clusterErrors } from "../../errors/cluster.ts";
import { readMembership } from "../../journal/refresh-tables.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import { runInProcess } from "../../supervisor/run-in-process.ts";
import type { AppContext } from "../project/app-context.ts";
import { configInput } from "../project/config-input.ts";
import { withConfigFile } from "../project/connect-supervisor.ts";
import { findProject } from "../project/open-project.ts";
import type { StoryEnding } from "../project/story-follower.ts";
import { PersonWait } from "./person-wait.ts";
import { describeEnding, EndingReader, type FollowedStory } from "./story-ending.ts";

/** Runs a story in this process, without a supervisor. Leaving is not possible: nothing else would continue it. */
export async function runStoryHere(context: AppContext, request: StoryRequest): Promise<FollowedStory> {
  await requireOneMachine(context);
  const follower = await context.followStory?.(request.id);
  const reader = new EndingReader(request.id);
  const wait = new PersonWait(request.id);
  const done = new AbortController();
  let ending: StoryEnding | undefined;
  let asked: FollowedStory | undefined;
  const leave = async (isBusy: () => boolean): Promise<void> => {
    asked = await wait.whenAsked(() => Promise.resolve(isBusy()), done.signal);
  };
  try {
    await runInProcess(
      {
        projectRoot: findProject(context).root,
        version: context.version,
        environment: withConfigFile(context),
        workerProgram: [...context.program, "__worker"],
        program: context.program,
        event: (event) => {
          follower?.event(event);
          wait.readEvent(event);
          ending = reader.readEvent(event) ?? ending;
        },
        output: ({ delegation, text }) => follower?.output(delegation, text),
        warn: (text) => context.warn(visibleText(text)),
        abort: follower?.stop ?? new AbortController().signal,
        ...(context.canAnswer?.() === false ? { leave } : {}),
      },
      request,
    );
    if (asked !== undefined && ending === undefined) return asked;
    if (ending === undefined) throw new TypeError(`${request.id} ended without a closing event`);
    return describeEnding(ending);
  } finally {
    done.abort();
    follower?.close(ending);
  }
}

/** A process that runs a story by itself cannot coordinate machines. */
async function requireOneMachine(context: AppContext): Promise<void> {
  if (readMembership(findProject(context).storeFile) === undefined) return;
  const config = await resolveConfig(configInput(context));
  if (config.ok && config.config.values.cluster.hub !== null) throw clusterErrors.inProcess();
}
