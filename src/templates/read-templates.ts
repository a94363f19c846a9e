import { readdirSync, realpathSync, type Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { DelegationError } from "../base/delegation-error.ts";
import type { Template } from "../contract/template.ts";
import { builtInTemplates } from "./built-in/all.ts";
import { parseTemplate } from "./parse-template.ts";
import { readTemplateFile } from "./parsing/read-file.ts";
import {
  isTemplateName,
  MOST_TEMPLATES,
  TEMPLATE_FOLDER,
  templateNameOf,
  type ListedTemplate,
} from "./template-file.ts";

export { builtInTemplates };

/** Every template that can be named here: the project's own, then the built-in ones nobody replaced. */
export async function listTemplates(projectRoot: string | undefined): Promise<readonly ListedTemplate[]> {
  const files = projectRoot === undefined ? [] : templateFiles(projectRoot);
  const own: ListedTemplate[] = [];
  for (const file of files) {
    const shadowedBy = own.find(({ name }) => name === templateNameOf(file))?.file;
    own.push({ ...(await readOne(projectRoot ?? "", file)), shadowedBy });
  }
  const others = Object.entries(builtInTemplates).filter(([name]) => own.every((one) => one.name !== name));
  return [...own, ...others.map(([name, template]) => builtIn(name, template))];
}

/** The template of this name; refuses one that nobody knows, and one whose file cannot be used. */
export async function readTemplate(projectRoot: string | undefined, name: string): Promise<ListedTemplate> {
  const all = await listTemplates(projectRoot);
  const found = isTemplateName(name) ? all.find((one) => one.name === name) : undefined;
  if (found === undefined) throw unknownTemplate(name, all);
  if (found.template === undefined) throw unusableTemplate(found);
  return found;
}

/** Names of the project's template files and of the built-in ones, without reading any. */
export function templateNames(projectRoot: string | undefined): readonly string[] {
  const own = projectRoot === undefined ? [] : templateFiles(projectRoot).map((file) => templateNameOf(file));
  return [...new Set([...own.filter((name) => name !== undefined), ...Object.keys(builtInTemplates)])];
}

function templateFiles(projectRoot: string): readonly string[] {
  return listEntries(projectRoot)
    .filter((entry) => !entry.isDirectory() && templateNameOf(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted()
    .slice(0, MOST_TEMPLATES);
}

/** A folder that leads out of the project holds nothing. */
function listEntries(projectRoot: string): readonly Dirent[] {
  try {
    const root = realpathSync(projectRoot);
    const folder = realpathSync(join(root, TEMPLATE_FOLDER));
    const isInside = !relative(root, folder).split(sep).includes("..");
    return isInside ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    // Not there, or no folder.
    return [];
  }
}

async function readOne(projectRoot: string, file: string): Promise<ListedTemplate> {
  const path = `${TEMPLATE_FOLDER}/${file}`;
  const name = templateNameOf(file) ?? file;
  const about = { name, source: "project", file: path, shadowedBy: undefined } as const;
  const reading = readTemplateFile(join(projectRoot, path));
  if ("problem" in reading) return { ...about, template: undefined, problem: reading.problem };
  return { ...about, ...(await parseTemplate(reading.text, file.endsWith(".md") ? "markdown" : "yaml")) };
}

function builtIn(name: string, template: Template): ListedTemplate {
  return { name, source: "built-in", file: "", template, problem: undefined, shadowedBy: undefined };
}

function unknownTemplate(name: string, all: readonly ListedTemplate[]): DelegationError {
  return new DelegationError({
    code: "TEMPLATE_NOT_FOUND",
    message: `There is no template ${JSON.stringify(name.slice(0, 80))}.`,
    recommendation: `There are: ${all.map((one) => one.name).join(", ")}. Add others: ambit template add <folder or git URL>.`,
  });
}

function unusableTemplate({ file, problem = "" }: ListedTemplate): DelegationError {
  return new DelegationError({
    code: "TEMPLATE_INVALID",
    message: `The template ${file} is not usable: ${problem}.`,
    recommendation: "Correct it; ambit template list says what is wrong with each.",
  });
}
