import { resolve } from "node:path";
import * as z from "zod";
import type { Template } from "../contract/template.ts";
import { templateErrors } from "../errors/templates.ts";
import { usageError } from "../errors/usage.ts";
import { planAdditions, writeAdditions, type Addition } from "../templates/add-templates.ts";
import { isHandedOut } from "../templates/apply-template.ts";
import { readSourceFolder, type OfferedFile } from "../templates/read-source-folder.ts";
import { readCriteria } from "../verification/read-criteria.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject } from "./project/open-project.ts";
import { requirePerson } from "./project/require-person.ts";
import { keepTrust } from "./project/require-trust.ts";
import { fetchOffered, isGitUrl } from "./templates/fetch-offered.ts";
import { findInIndex } from "./templates/template-index.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    source: z
      .string()
      .describe("A folder, a template file, a git URL, or the name of a template of the index"),
    ref: z.string().optional().describe("Branch or tag of the git URL"),
    mayReplace: z.boolean().default(false),
    isDryRun: z.boolean().default(false),
  });

const offeredTemplate = () =>
  z.looseObject({
    name: z.string(),
    target: z.string(),
    action: z.enum(["add", "replace", "same", "refuse"]),
    problem: z.string().nullable(),
    hides_built_in: z.boolean(),
    text: z.string(),
  });

const output = () =>
  z.looseObject({
    source: z.string(),
    commit: z.string().nullable(),
    written: z.array(z.string()),
    templates: z.array(offeredTemplate()),
  });

export type AddTemplatesAnswer = z.output<ReturnType<typeof output>>;

/** Copies templates into the project. If one of them cannot be used, none is copied. */
export const addTemplatesUseCase = defineUseCase({
  input,
  output,
  onlyPeople: "never adds templates",
  run: async (context, wish) => {
    const plan = await planTemplates(context, wish);
    return wish.isDryRun || plan.isRefused ? plan.answer : await plan.write();
  },
});

/** The parts of a template that a person should see before agreeing. */
export interface OfferedDetails {
  /** Commands in its acceptance criteria, which the runtime would run as checks. */
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  /** How many parts the runtime hands out without a manager's judgement. */
  readonly partsHandedOut: number;
}

/** The files that would be written. A person looks at them before `write` writes them. */
export interface TemplatePlan {
  readonly answer: AddTemplatesAnswer;
  /** By the file it would be written to. */
  readonly details: ReadonlyMap<string, OfferedDetails>;
  /** At least one template cannot be used. */
  readonly isRefused: boolean;
  readonly write: () => Promise<AddTemplatesAnswer>;
}

export type AddTemplatesInput = z.output<ReturnType<typeof input>>;

/** Templates speak to agents and may name commands that run as checks, so everything in them is shown first. */
export async function planTemplates(
  context: AppContext,
  { source, ref, mayReplace, isDryRun }: AddTemplatesInput,
): Promise<TemplatePlan> {
  await requirePerson(context, "never adds templates");
  const { root } = findProject(context);
  const { offered, commit } = await readSource(context, source, ref);
  const additions = await planAdditions(root, offered);
  const describe = (written: readonly string[]): AddTemplatesAnswer => ({
    source,
    commit,
    written: [...written],
    templates: additions.map(describeAddition),
  });
  const isRefused = additions.some(({ action }) => action === "refuse");
  const replaced = additions.find(({ action }) => action === "replace");
  if (replaced !== undefined && !isRefused && !isDryRun && !mayReplace)
    throw templateErrors.alreadyExists(replaced.target);
  return {
    answer: describe([]),
    details: new Map(additions.flatMap(listDetails)),
    isRefused,
    write: () => keepTrust(context, () => describe(writeAdditions(root, additions, mayReplace))),
  };
}

interface Source {
  readonly offered: readonly OfferedFile[];
  readonly commit: string | null;
}

async function readSource(context: AppContext, source: string, ref: string | undefined): Promise<Source> {
  if (isGitUrl(source)) return fetchOffered(context, source, ref);
  if (ref !== undefined) throw usageError("--ref belongs to a git URL", "Leave it out for a folder.");
  const named = await findInIndex(context, source);
  if (named !== undefined) return named;
  return { offered: readSourceFolder(resolve(context.directory, source)), commit: null };
}

function describeAddition({ name, target, action, problem, text, hidesBuiltIn }: Addition) {
  return { name, target, action, problem: problem ?? null, hides_built_in: hidesBuiltIn, text };
}

function listDetails({ target, template }: Addition): readonly [string, OfferedDetails][] {
  if (template === undefined) return [];
  const agents = template.parts.flatMap(({ agent }) => (agent === undefined ? [] : [agent]));
  const partsHandedOut = isHandedOut(template) ? template.parts.length : 0;
  return [[target, { commands: listCommands(template), agents: [...new Set(agents)], partsHandedOut }]];
}

function listCommands({ parts }: Template): readonly string[] {
  const accepted = parts.flatMap(({ accept = [] }) => accept);
  if (accepted.length === 0) return [];
  const { criteria } = readCriteria(accepted, { testCommand: null });
  return criteria.flatMap(({ check }) => (check !== undefined && "command" in check ? [check.command] : []));
}
