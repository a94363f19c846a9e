import type { JournalEvent } from "../../contract/journal-event.ts";
import type { SupervisorClient } from "../../supervisor/client.ts";
import type { AppContext } from "../project/app-context.ts";
import type { StoryEnding, StoryFollower } from "../project/story-follower.ts";
import { PersonWait } from "./person-wait.ts";
import { describeEnding, EndingReader, type FollowedStory } from "./story-ending.ts";

export interface FollowOptions {
  readonly story: string;
  readonly onEvent?: (event: JournalEvent) => void;
  /** Shows output from before the watch began, once the past events were shown. */
  readonly showLatest?: (follower: StoryFollower) => void;
}

/** Follows a story from its beginning until it ends, or until the person stops watching. */
export async function followStory(
  context: Pick<AppContext, "canAnswer" | "followStory">,
  client: SupervisorClient,
  { story, onEvent, showLatest }: FollowOptions,
): Promise<FollowedStory> {
  const follower = (await context.followStory?.(story)) ?? silentFollower;
  const wait = new PersonWait(story);
  const done = new AbortController();
  const ended = watchEvents(client, follower, {
    story,
    onEvent: (event) => {
      wait.readEvent(event);
      onEvent?.(event);
    },
  });
  const stop = (): void => {
    // The story's end is what counts; the answer may come when nothing listens any more.
    client.call("stop", { id: story, reason: "Ctrl-C", by: "person" }).catch(() => undefined);
  };
  follower.stop.addEventListener("abort", stop);
  let ending: StoryEnding | undefined;
  try {
    await client.call("attach", { story });
    showLatest?.(follower);
    const isBusy = async (): Promise<boolean> => (await client.call("status", {})).busy.includes(story);
    const asked = context.canAnswer?.() === false ? [wait.whenAsked(isBusy, done.signal)] : [];
    const result = await Promise.race([
      ended,
      whenAborted(follower.leave),
      ...asked.map((answer) => answer.then((story) => ({ waits: story }))),
    ]);
    if (result === "gone") return describeUnfinished(story, describeGone(story));
    if (result === "left") return describeUnfinished(story, `${story} keeps working.`);
    if ("waits" in result) return result.waits;
    ending = result;
    return describeEnding(result);
  } finally {
    done.abort();
    follower.stop.removeEventListener("abort", stop);
    follower.close(ending);
  }
}

function watchEvents(
  client: SupervisorClient,
  follower: StoryFollower,
  { story, onEvent }: FollowOptions,
): Promise<StoryEnding | "gone"> {
  const reader = new EndingReader(story);
  return new Promise((resolve) => {
    client.onNotice(({ notice, data: event }) => {
      if (notice === "output") return follower.output(event.delegation, event.text);
      if (notice !== "event") return;
      follower.event(event);
      onEvent?.(event);
      const ending = reader.readEvent(event);
      if (ending !== undefined) resolve(ending);
    });
    void client.closed.then(() => resolve("gone"));
  });
}

function describeGone(story: string): string {
  return `The supervisor is gone, so the work is interrupted. Continue it: ambit resume ${story}`;
}

function whenAborted(signal: AbortSignal): Promise<"left"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("left");
    signal.addEventListener("abort", () => resolve("left"), { once: true });
  });
}

function describeUnfinished(story: string, summary: string): FollowedStory {
  return { story, outcome: null, code: null, summary };
}

/** For callers that only wait for the end. */
const silentFollower: StoryFollower = {
  event: () => undefined,
  output: () => undefined,
  stop: new AbortController().signal,
  leave: new AbortController().signal,
  close: () => undefined,
};
