import * as z from "zod";
import { dropUndefined } from "../base/json.ts";
import { storyDelegationConfigSchema } from "./config.ts";
import { storyIdSchema } from "./identity.ts";
import { filledText, lenientList, lenientNumber, nullsAbsent } from "./lenient.ts";

const priorityWords: Readonly<Record<string, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

function readPriorityWord(value: unknown): unknown {
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  return Object.hasOwn(priorityWords, word) ? priorityWords[word] : value;
}

/** One story of a PRD file (R78). Unknown fields are kept. */
export const userStorySchema = nullsAbsent(
  z.looseObject({
    id: storyIdSchema,
    title: filledText,
    description: z.string().default(""),
    acceptanceCriteria: z.array(filledText).default([]),
    /** Lower is sooner; the words critical, high, medium and low are 0 to 3. */
    priority: z.preprocess((value) => readPriorityWord(value), lenientNumber(z.int().min(0))).default(1),
    estimatedComplexity: filledText.default("medium"),
    suggestedModel: filledText.optional(),
    /** `none`, `sequential` or `parallel`. */
    delegationStrategy: filledText.optional(),
    /** Ids of stories that must pass before this one starts. */
    dependencies: lenientList(z.array(filledText)).default([]),
    passes: z.boolean().default(false),
    delegationConfig: storyDelegationConfigSchema.optional(),
    fileScope: z.array(filledText).optional(),
  }),
);

const metadataSchema = nullsAbsent(
  z.looseObject({
    delegatedFrom: storyIdSchema.optional(),
    delegationDepth: lenientNumber(z.int().min(0)).optional(),
    estimatedHours: lenientNumber(z.number().gt(0)).optional(),
  }),
);

/** A PRD file: a project with the stories a person asks for. */
export const prdSchema = nullsAbsent(
  z.looseObject({
    project: filledText,
    branchName: filledText.optional(),
    description: z.string().default(""),
    userStories: z.array(userStorySchema).min(1).refine(hasDistinctIds, "story ids must be distinct"),
    metadata: metadataSchema.optional(),
  }),
);

export type UserStory = z.infer<typeof userStorySchema>;
export type Prd = z.infer<typeof prdSchema>;

export interface DelegatedStory {
  readonly parentId: string;
  readonly childId: string;
  readonly description: string;
  readonly depth: number;
  readonly estimatedHours?: number;
  /** Replace the default criteria of R79. */
  readonly acceptanceCriteria?: readonly string[];
  readonly fileScope?: readonly string[];
}

/** Builds the PRD of a delegated story, with a branch of its own. */
export function childPrd(story: DelegatedStory): Prd {
  const { parentId, childId, description, depth, estimatedHours, acceptanceCriteria = [], fileScope } = story;
  const criteria = acceptanceCriteria.length > 0 ? [...acceptanceCriteria] : defaultCriteria(description);
  return {
    project: childId,
    branchName: `delegation/${childId}`,
    description,
    userStories: [
      {
        id: childId,
        title: description,
        description: `Delegated by ${parentId}`,
        acceptanceCriteria: criteria,
        priority: 1,
        estimatedComplexity: "medium",
        dependencies: [],
        passes: false,
        ...dropUndefined({ fileScope: fileScope?.slice() }),
      },
    ],
    metadata: { delegatedFrom: parentId, delegationDepth: depth, ...dropUndefined({ estimatedHours }) },
  };
}

/** The default criteria (R79). */
function defaultCriteria(description: string): string[] {
  return [`Implement ${description}`, "All tests pass", "Code meets quality standards"];
}

function hasDistinctIds(stories: readonly { readonly id: string }[]): boolean {
  return new Set(stories.map((story) => story.id)).size === stories.length;
}
