import { readdirSync, realpathSync, type Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Template } from "../contract/template.ts";
import { templateErrors } from "../errors/templates.ts";
import { builtInTemplates } from "./built-in/built-in-templates.ts";
import { parseTemplate } from "./parsing/parse-template.ts";
import { readTemplateFile } from "./files/read-template-file.ts";
import {
  isTemplateName,
  MAX_TEMPLATES,
  TEMPLATE_FOLDER,
  parseTemplateName,
  type ListedTemplate,
} from "./files/template-file.ts";

export type { ListedTemplate } from "./files/template-file.ts";
export { builtInTemplates };

/** Every template that can be used here: the project's own, then the built-in ones it does not replace. */
export async function listTemplates(projectRoot: string | undefined): Promise<readonly ListedTemplate[]> {
  const files = projectRoot === undefined ? [] : listTemplateFiles(projectRoot);
  const own: ListedTemplate[] = [];
  for (const file of files) {
    const shadowedBy = own.find(({ name }) => name === parseTemplateName(file))?.file;
    own.push({ ...(await readListed(projectRoot ?? "", file)), shadowedBy });
  }
  const others = Object.entries(builtInTemplates).filter(([name]) => own.every((one) => one.name !== name));
  return [...own, ...others.map(([name, template]) => listBuiltIn(name, template))];
}

/** The template with this name; refuses an unknown name and a file that cannot be used. */
export async function readTemplate(projectRoot: string | undefined, name: string): Promise<ListedTemplate> {
  const all = await listTemplates(projectRoot);
  const found = isTemplateName(name) ? all.find((one) => one.name === name) : undefined;
  if (found === undefined)
    throw templateErrors.notFound(
      name,
      all.map((one) => one.name),
    );
  if (found.template === undefined) throw templateErrors.unusable(found.file, found.problem ?? "");
  return found;
}

/** Names of the project's template files and of the built-in ones, without reading the files. */
export function listTemplateNames(projectRoot: string | undefined): readonly string[] {
  const own =
    projectRoot === undefined ? [] : listTemplateFiles(projectRoot).map((file) => parseTemplateName(file));
  return [...new Set([...own.filter((name) => name !== undefined), ...Object.keys(builtInTemplates)])];
}

function listTemplateFiles(projectRoot: string): readonly string[] {
  return listEntries(projectRoot)
    .filter((entry) => !entry.isDirectory() && parseTemplateName(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted()
    .slice(0, MAX_TEMPLATES);
}

/** A folder that leads out of the project counts as empty. */
function listEntries(projectRoot: string): readonly Dirent[] {
  try {
    const root = realpathSync(projectRoot);
    const folder = realpathSync(join(root, TEMPLATE_FOLDER));
    const isInside = !relative(root, folder).split(sep).includes("..");
    return isInside ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    // The folder does not exist, or is not a folder.
    return [];
  }
}

async function readListed(projectRoot: string, file: string): Promise<ListedTemplate> {
  const path = `${TEMPLATE_FOLDER}/${file}`;
  const name = parseTemplateName(file) ?? file;
  const about = { name, source: "project", file: path, shadowedBy: undefined } as const;
  const reading = readTemplateFile(join(projectRoot, path));
  if ("problem" in reading) return { ...about, template: undefined, problem: reading.problem };
  return { ...about, ...(await parseTemplate(reading.text, file.endsWith(".md") ? "markdown" : "yaml")) };
}

function listBuiltIn(name: string, template: Template): ListedTemplate {
  return { name, source: "built-in", file: "", template, problem: undefined, shadowedBy: undefined };
}
