import * as z from "zod";
import { findProjectRoot } from "../project/find-project.ts";
import { templateSchema, type Template } from "../contract/template.ts";
import type { Delegation } from "../journal/store.ts";
import {
  buildAssignedDocument,
  buildComparisonDocument,
  compareAssigned,
  compareTemplateFigures,
} from "../reports/template-comparison.ts";
import { isHandedOut, partDirective } from "../templates/apply-template.ts";
import { listTemplates, readTemplate, type ListedTemplate } from "../templates/read-templates.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

export { MIN_STORIES } from "../reports/template-comparison.ts";

const handouts = ["manager", "runtime", "proposal"] as const;
const sources = ["project", "built-in"] as const;

const listedTemplate = () =>
  z.looseObject({
    name: z.string(),
    source: z.enum(sources),
    file: z.string().nullable(),
    usable: z.boolean(),
    problem: z.string().nullable(),
    shadowed_by: z.string().nullable().describe("The file of the same name that is used instead"),
    title: z.string().nullable(),
    summary: z.string().nullable(),
    parts: z.int().min(0),
    handout: z.enum(handouts).nullable().describe("The side that delegates the parts"),
  });

export type TemplateDocument = z.output<ReturnType<typeof listedTemplate>>;

/** Every template of the project and of Ambit, usable or with the reason why not. */
export const listTemplatesUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output: () => z.looseObject({ templates: z.array(listedTemplate()) }),
  isReadOnly: true,
  run: async ({ directory }) => {
    const listed = await listTemplates(findProjectRoot(directory));
    return { templates: listed.map(describeListed) };
  },
});

function describeListed({
  name,
  source,
  file,
  template,
  problem,
  shadowedBy,
}: ListedTemplate): TemplateDocument {
  return {
    name,
    source,
    file: file === "" ? null : file,
    usable: template !== undefined && shadowedBy === undefined,
    problem: problem ?? null,
    shadowed_by: shadowedBy ?? null,
    title: template?.title ?? null,
    summary: template?.summary ?? null,
    parts: template?.parts.length ?? 0,
    handout: template === undefined ? null : readHandout(template),
  };
}

function readHandout(template: Template): (typeof handouts)[number] {
  if (template.handout === "proposal") return "proposal";
  return isHandedOut(template) ? "runtime" : "manager";
}

const shownTemplate = () =>
  z.looseObject({
    name: z.string(),
    source: z.enum(sources),
    file: z.string().nullable(),
    handout: z.enum(handouts),
    directives: z.array(z.string()).describe("One per part, as a manager would write it"),
    template: templateSchema,
  });

export type ShownTemplate = z.output<ReturnType<typeof shownTemplate>>;

/** One template with its parts as directives. */
export const showTemplateUseCase = defineUseCase({
  input: () => z.strictObject({ name: z.string() }),
  output: shownTemplate,
  isReadOnly: true,
  run: async ({ directory }, { name: wanted }) => {
    const { name, source, file, template } = await readTemplate(findProjectRoot(directory), wanted);
    if (template === undefined) throw new TypeError(`${name} was found without its content`);
    return {
      name,
      source,
      file: file === "" ? null : file,
      handout: readHandout(template),
      directives: template.parts.map((part) => partDirective(part, "{story}")),
      template: { ...template },
    };
  },
});

const DEFAULT_STORIES = 200;
const MAX_STORIES = 2000;

const intervalSchema = () =>
  z.object({ low: z.number(), high: z.number() }).describe("Holds the true value in 95 of 100 cases");

const differenceSchema = () =>
  z
    .object({
      value: z.number(),
      interval: intervalSchema().nullable(),
      is_clear: z.boolean().describe("False while the difference may be chance"),
    })
    .nullable();

const comparisonSchema = () =>
  z.looseObject({
    ways: z.array(z.string()).describe("Each of its stories got one of these at random"),
    stories: z.int().min(0),
    results: z.array(comparedWay()),
    differences: z.array(
      z.looseObject({
        way: z.string(),
        than: z.string(),
        proof_rate: differenceSchema(),
        cost_usd: differenceSchema(),
        duration_ms: differenceSchema(),
      }),
    ),
  });

export type WayComparison = z.output<ReturnType<typeof comparisonSchema>>;

const comparedWay = () =>
  z.looseObject({
    template: z.string().nullable(),
    divided: z.boolean(),
    stories: z.int().min(0),
    ended: z.int().min(0),
    completed: z.int().min(0),
    success_rate: z.number().nullable(),
    proof_rate: z.number().nullable().describe("Completed with a check that confirms it"),
    proof_interval: intervalSchema().nullable(),
    cost_interval_usd: intervalSchema().nullable(),
    duration_interval_ms: intervalSchema().nullable(),
    avg_duration_ms: z.number().nullable(),
    avg_workers: z.number(),
    avg_cost_usd: z.number().min(0).nullable(),
    median_duration_ms: z.number().nullable(),
    time_saved: z.number().nullable().describe("Compared with one worker after the other, 0 to 1"),
    conflicts: z.int().min(0),
    enough_stories: z.boolean().describe("False while a difference may be chance"),
  });

export type ComparedWay = z.output<ReturnType<typeof comparedWay>>;

/** How stories went that were divided in different ways (R185), from the journal. */
export const compareTemplatesUseCase = defineUseCase({
  input: () =>
    z.strictObject({ stories: z.int().default(DEFAULT_STORIES).describe("How many of the newest stories") }),
  output: () =>
    z.looseObject({
      stories: z.int().min(0),
      ways: z.array(comparedWay()),
      comparisons: z.array(comparisonSchema()).describe("Of ways that were assigned at random"),
    }),
  isReadOnly: true,
  run: (context, { stories: wanted }) =>
    readStore(context, async (reader) => {
      const stories = (await reader?.stories(Math.min(MAX_STORIES, Math.max(1, wanted)))) ?? [];
      const trees: (readonly Delegation[])[] = [];
      for (const { id } of stories) trees.push((await reader?.storyTree(id)) ?? []);
      return {
        stories: stories.length,
        ways: compareTemplateFigures(trees).map(buildComparisonDocument),
        comparisons: compareAssigned(trees).map(buildAssignedDocument),
      };
    }),
});
