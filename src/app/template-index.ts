import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { templateErrors } from "../errors/templates.ts";
import { redactCredentials } from "../redaction/redact.ts";
import { planAdditions, type Addition } from "../templates/add-templates.ts";
import { MAX_TEMPLATE_BYTES, parseTemplateName, sharedFolders } from "../templates/read-source-folder.ts";
import { readTemplate } from "../templates/read-templates.ts";
import { publishFile } from "../workspace/publish-file.ts";
import { findProject, openWorkspaces } from "./project/open-project.ts";
import { checkUrl, describeHost, isGitUrl } from "./templates/fetch-offered.ts";
import { findIndex, readIndex } from "./templates/template-index.ts";
import { defineUseCase } from "./use-case.ts";

const indexInput = () => z.string().optional().describe("A git URL or a folder, instead of templates.index");

const foundTemplate = () =>
  z.looseObject({
    name: z.string(),
    title: z.string(),
    summary: z.string(),
    parts: z.int().min(0),
    here: z.enum(["no", "same", "differs"]).describe("Whether the project has it"),
  });

export type FoundTemplate = z.output<ReturnType<typeof foundTemplate>>;

/** Templates of the index that hold all of the words, in their name, title, summary or guidance (R184). */
export const searchTemplatesUseCase = defineUseCase({
  input: () => z.strictObject({ words: z.array(z.string()).default([]), index: indexInput() }),
  output: () =>
    z.looseObject({
      index: z.string(),
      commit: z.string().nullable(),
      templates: z.array(foundTemplate()),
      unusable: z.array(z.string()).describe("Files of the index that are not usable templates"),
    }),
  onlyPeople: "never searches an index",
  run: async (context, { words, index: given }) => {
    const { root } = findProject(context);
    const index = await findIndex(context, given);
    const { offered, commit } = await readIndex(context, index);
    const all = await planAdditions(root, offered);
    return {
      index,
      commit,
      templates: all.flatMap((one) => (holdsAll(one, words) ? describeFound(one) : [])),
      unusable: all.filter(({ template }) => template === undefined).map(({ file }) => file),
    };
  },
});

function holdsAll({ name, template }: Addition, words: readonly string[]): boolean {
  if (template === undefined) return false;
  const text = [name, template.title, template.summary, template.guidance].join("\n").toLowerCase();
  return words.every((word) => text.includes(word.toLowerCase()));
}

function describeFound({ name, template, action }: Addition): readonly FoundTemplate[] {
  if (template === undefined) return [];
  const { title, summary, parts } = template;
  const here = action === "add" ? "no" : action === "same" ? "same" : "differs";
  return [{ name, title, summary, parts: parts.length, here }];
}

const published = () =>
  z.looseObject({
    index: z.string(),
    name: z.string(),
    path: z.string().describe("In the index"),
    branch: z.string(),
    action: z.enum(["add", "replace", "same"]),
    commit: z.string().nullable().describe("Null where nothing was published"),
  });

export type PublishedTemplate = z.output<ReturnType<typeof published>>;

/** Adds a template of the project to the index, as one commit on its main branch (R184). */
export const publishTemplateUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      name: z.string(),
      index: indexInput(),
      mayReplace: z.boolean().default(false),
      isDryRun: z.boolean().default(false),
    }),
  output: published,
  onlyPeople: "never publishes templates",
  run: async (context, { name: wanted, index: given, mayReplace, isDryRun }) => {
    const { root } = findProject(context);
    const { name, file, template } = await readTemplate(root, wanted);
    if (file === "" || template === undefined) throw templateErrors.notAFile(name);
    const bytes = readFileSync(join(root, file));
    if (redactCredentials(bytes.toString("utf8")).count > 0) throw templateErrors.holdsCredential(file);
    const index = await findIndex(context, given);
    const url = isGitUrl(index) ? index : `file://${resolve(context.directory, index)}`;
    checkUrl(url);
    const { repository } = await openWorkspaces(context);
    const { status, path, branch, commit } = await publishFile({
      url,
      host: describeHost(context),
      repository,
      name: file.slice(file.lastIndexOf("/") + 1),
      bytes,
      message: `${mayReplace ? "Publish" : "Add"} template ${name}: ${template.title}\n`,
      folders: sharedFolders,
      usual: "templates",
      isWanted: (other) => parseTemplateName(other) !== undefined,
      maxBytes: MAX_TEMPLATE_BYTES,
      mayReplace,
      isDryRun,
    });
    if (status === "differs") throw templateErrors.differsInIndex(path, index);
    return { index, name, path, branch: branch.replace(/^refs\/heads\//u, ""), action: status, commit };
  },
});
