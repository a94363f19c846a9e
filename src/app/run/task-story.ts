import { randomBase36 } from "../../base/ids.ts";
import type { StoryRequest } from "../../contract/story-request.ts";
import type { StoredTask } from "../../tasks/task.ts";
import { buildStoryRequest, type StoryOptions } from "./story-input.ts";

/** The story of a task: what the task says, and what the person adds to it. */
export function buildTaskStory(task: StoredTask, story: StoryOptions): StoryRequest {
  const background = [task.description, story.context ?? ""].filter((part) => part !== "");
  const criteria = [...task.criteria, ...(story.criteria ?? [])];
  const id = story.id ?? `T${task.id}-${randomBase36(4)}`;
  return {
    ...buildStoryRequest({ ...story, id, title: task.title }, "T"),
    task: task.id,
    ...(background.length === 0 ? {} : { context: background.join("\n\n") }),
    ...(criteria.length === 0 ? {} : { criteria }),
  };
}
