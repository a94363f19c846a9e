import type { Prd, UserStory } from "../../contract/story.ts";
import type { StoryOptions } from "../run/story-input.ts";

export interface DescribedStory {
  readonly story: StoryOptions & { readonly title: string };
  /** Wishes of the file that this run does not follow, and why. */
  readonly notices: readonly string[];
}

/** The story of a file as a request: what the file says, under what the command line says. */
export function describeStory(prd: Prd, story: UserStory, options: StoryOptions): DescribedStory {
  const { title, description, acceptanceCriteria, fileScope, suggestedModel, estimatedComplexity } = story;
  const strategy = readStrategy(story);
  const isProgram = options.adapter !== undefined;
  const model = options.model ?? (isProgram ? undefined : suggestedModel);
  const complexity = estimatedComplexity === "medium" ? "" : `Estimated complexity: ${estimatedComplexity}`;
  const config = { ...strategy.config, ...story.delegationConfig };
  const notices = [
    ...strategy.notices,
    ...(suggestedModel !== undefined && model !== suggestedModel
      ? [
          `${story.id}: suggestedModel ${suggestedModel} is not used: ${isProgram ? "a program does the work" : "--model is stronger"}`,
        ]
      : []),
  ];
  return {
    story: {
      ...options,
      title,
      context: [prd.description, description, complexity].filter((part) => part !== "").join("\n\n"),
      ...(acceptanceCriteria.length === 0 ? {} : { criteria: acceptanceCriteria }),
      ...(fileScope === undefined ? {} : { fileScope }),
      ...(model === undefined ? {} : { model }),
      ...(Object.keys(config).length === 0 ? {} : { delegationConfig: config }),
    },
    notices,
  };
}

interface Strategy {
  readonly config: NonNullable<UserStory["delegationConfig"]>;
  readonly notices: readonly string[];
}

const strategies: Readonly<Record<string, Strategy["config"]>> = {
  none: { maxDepth: 0 },
  sequential: { maxConcurrent: 1 },
  parallel: {},
};

function readStrategy({ id, delegationStrategy }: UserStory): Strategy {
  const word = delegationStrategy?.trim().toLowerCase();
  if (word === undefined) return { config: {}, notices: [] };
  if (Object.hasOwn(strategies, word)) return { config: strategies[word] ?? {}, notices: [] };
  const known = Object.keys(strategies).join(", ");
  return {
    config: {},
    notices: [`${id}: delegationStrategy ${word} is not known (${known}); its agent decides`],
  };
}
