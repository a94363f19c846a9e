import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBase36 } from "../base/ids.ts";
import type { Template } from "../contract/template.ts";
import { templateErrors } from "../errors/templates.ts";
import { parseTemplate } from "./parsing/parse-template.ts";
import { decodeTemplate } from "./files/read-template-file.ts";
import type { OfferedFile } from "./read-source-folder.ts";
import { builtInTemplates } from "./built-in/built-in-templates.ts";
import { TEMPLATE_FOLDER, templateEndings, parseTemplateName } from "./files/template-file.ts";

/** The planned change for one offered file. */
export interface Addition {
  readonly name: string;
  readonly file: string;
  /** Relative to the project. */
  readonly target: string;
  readonly action: "add" | "replace" | "same" | "refuse";
  readonly problem: string | undefined;
  readonly text: string;
  readonly template: Template | undefined;
  /** It replaces a built-in template of the same name. */
  readonly hidesBuiltIn: boolean;
}

/** An offered file from its bytes in a repository. */
export function decodeOfferedFile(file: string, bytes: Uint8Array): OfferedFile {
  return { file, ...decodeTemplate(bytes) };
}

/** Plans additions without writing, so that a person can see them first. */
export async function planAdditions(
  projectRoot: string,
  offered: readonly OfferedFile[],
): Promise<readonly Addition[]> {
  return Promise.all(offered.map((one) => planAddition(projectRoot, one)));
}

async function planAddition(projectRoot: string, offered: OfferedFile): Promise<Addition> {
  const name = parseTemplateName(offered.file) ?? offered.file;
  const target = `${TEMPLATE_FOLDER}/${offered.file}`;
  const about = { name, file: offered.file, target, hidesBuiltIn: Object.hasOwn(builtInTemplates, name) };
  const refused = { ...about, action: "refuse", template: undefined } as const;
  if ("problem" in offered) return { ...refused, problem: offered.problem, text: "" };
  const { text } = offered;
  if (parseTemplateName(offered.file) === undefined)
    return {
      ...refused,
      problem: `its name is not that of a template (${templateEndings.join(", ")})`,
      text,
    };
  const reading = await parseTemplate(text, offered.file.endsWith(".md") ? "markdown" : "yaml");
  if (reading.template === undefined) return { ...refused, problem: reading.problem, text };
  const action = chooseAction(join(projectRoot, target), text);
  return { ...about, action, problem: undefined, text, template: reading.template };
}

function chooseAction(path: string, text: string): "add" | "replace" | "same" {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return "add";
  return facts.isFile() && readFileSync(path, "utf8") === text ? "same" : "replace";
}

/** Writes planned additions, each file whole or not at all and never through a link; replaces files only if allowed. */
export function writeAdditions(
  projectRoot: string,
  additions: readonly Addition[],
  mayReplace: boolean,
): readonly string[] {
  const folder = makeTemplateFolder(projectRoot);
  const wanted = additions.filter(({ action }) => action === "add" || action === "replace");
  return wanted.map(({ file, target, text }) => {
    const path = join(folder, file);
    if (!mayReplace && existsSync(path)) throw templateErrors.alreadyExists(target);
    const temporary = join(folder, `.${file}.${randomBase36(6)}`);
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: 0o644 });
      // A rename replaces a link itself, not its target.
      renameSync(temporary, path);
    } finally {
      rmSync(temporary, { force: true });
    }
    return target;
  });
}

/** Makes `.ambit/templates` if it is missing; refuses a link in its place. */
function makeTemplateFolder(projectRoot: string): string {
  let folder = projectRoot;
  for (const step of TEMPLATE_FOLDER.split("/")) {
    folder = join(folder, step);
    mkdirSync(folder, { recursive: true });
    if (lstatSync(folder).isDirectory()) continue;
    throw templateErrors.folderLeadsElsewhere(folder);
  }
  return folder;
}
