import { randomBase36 } from "../../base/ids.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { StoredTask } from "../../tasks/task.ts";
import { buildStoryRequest, type StoryOptions } from "./story-input.ts";

/** The story of a task: what the task says, and what the person adds to it. */
export function buildTaskStory(task: StoredTask, story: StoryOptions): StoryRequest {
  const background = [task.description, story.context ?? ""].filter((part) => part !== "");
  const id = story.id ?? `T${task.id}-${randomBase36(4)}`;
  const request = buildStoryRequest({ ...story, id, title: task.title }, "T");
  const criteria = [...task.criteria, ...(request.criteria ?? [])];
  return {
    ...request,
    task: task.id,
    ...(background.length === 0 ? {} : { context: background.join("\n\n") }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}
