import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { DelegationError, messageOf } from "../../../base/delegation-error.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { prdSchema, type Prd, type UserStory } from "../../../contract/story.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { readStore } from "../../../app/open-project.ts";
import { readStoryFlags } from "./read-story-request.ts";
import { startStory } from "./start-story.ts";

/**
 * Runs the stories of a PRD file (R78), those with the lowest priority number first, until one is not completed. A
 * story that passes, or that this project has already completed, is not run again. The file itself is only read.
 */
export async function runPrd(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const file = resolve(context.directory, invocation.argument("story"));
  const prd = readPrd(file);
  const done: { id: string; outcome: string }[] = [];
  const stories = prd.userStories.toSorted((one, other) => one.priority - other.priority);
  for (const story of stories) {
    if (story.passes || (await isCompleted(context, story.id))) {
      done.push({ id: story.id, outcome: "passes" });
      continue;
    }
    context.progress(`${story.id}: ${story.title}`);
    const request = { ...readStoryFlags(context, invocation), ...requestOf(prd, story) };
    const outcome = await startStory(context, invocation, request);
    const how = outcome.json["outcome"];
    done.push({ id: story.id, outcome: typeof how === "string" ? how : "running" });
    if (outcome.exitCode !== exitCode.completed)
      return { ...outcome, json: { ...outcome.json, stories: done } };
  }
  const text = done.map(({ id, outcome }) => `${outcome.padEnd(10)} ${id}`).join("\n");
  return { exitCode: exitCode.completed, json: { project: prd.project, stories: done }, text };
}

function requestOf(prd: Prd, story: UserStory) {
  const { id, title, description, acceptanceCriteria, fileScope, delegationConfig } = story;
  return {
    id,
    title,
    context: [prd.description, description].filter((part) => part !== "").join("\n\n"),
    ...(acceptanceCriteria.length === 0 ? {} : { criteria: acceptanceCriteria }),
    ...(fileScope === undefined ? {} : { fileScope }),
    ...(delegationConfig === undefined ? {} : { delegationConfig }),
  };
}

function isCompleted(context: CommandContext, id: string): Promise<boolean> {
  return readStore(context, async (reader) => (await reader?.delegation(id))?.outcome === "completed");
}

function readPrd(file: string): Prd {
  try {
    return prdSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new DelegationError({
      code: "INPUT_UNREADABLE",
      message: `${file} is no usable PRD file: ${reason}`,
      recommendation: 'It needs {"project": …, "userStories": [{"id", "title", "acceptanceCriteria"}]}.',
      cause: error,
    });
  }
}
