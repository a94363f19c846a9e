import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DelegationError } from "../base/delegation-error.ts";
import { randomBase36 } from "../base/ids.ts";
import type { Template } from "../contract/template.ts";
import { parseTemplate } from "./parse-template.ts";
import { decode } from "./parsing/read-file.ts";
import type { OfferedFile } from "./read-source-folder.ts";
import { builtInTemplates } from "./built-in/all.ts";
import { TEMPLATE_FOLDER, templateEndings, templateNameOf } from "./template-file.ts";

/** What would happen to one offered file. */
export interface Addition {
  readonly name: string;
  readonly file: string;
  /** Relative to the project. */
  readonly target: string;
  readonly action: "add" | "replace" | "same" | "refuse";
  readonly problem: string | undefined;
  readonly text: string;
  readonly template: Template | undefined;
  /** A built-in template it stands in for from then on. */
  readonly hidesBuiltIn: boolean;
}

/** Text of a file in a repository, once its bytes are here. */
export function offeredFrom(file: string, bytes: Uint8Array): OfferedFile {
  return { file, ...decode(bytes) };
}

/** Pure but for looking at what is there: shown to a person, then applied or not. */
export async function planAdditions(
  projectRoot: string,
  offered: readonly OfferedFile[],
): Promise<readonly Addition[]> {
  return Promise.all(offered.map((one) => planOne(projectRoot, one)));
}

async function planOne(projectRoot: string, offered: OfferedFile): Promise<Addition> {
  const name = templateNameOf(offered.file) ?? offered.file;
  const target = `${TEMPLATE_FOLDER}/${offered.file}`;
  const about = { name, file: offered.file, target, hidesBuiltIn: Object.hasOwn(builtInTemplates, name) };
  const refused = { ...about, action: "refuse", template: undefined } as const;
  if ("problem" in offered) return { ...refused, problem: offered.problem, text: "" };
  const { text } = offered;
  if (templateNameOf(offered.file) === undefined)
    return { ...refused, problem: `no template is named by ${templateEndings.join(", ")} like this`, text };
  const reading = await parseTemplate(text, offered.file.endsWith(".md") ? "markdown" : "yaml");
  if (reading.template === undefined) return { ...refused, problem: reading.problem, text };
  const action = actionFor(join(projectRoot, target), text);
  return { ...about, action, problem: undefined, text, template: reading.template };
}

function actionFor(path: string, text: string): "add" | "replace" | "same" {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return "add";
  return facts.isFile() && readFileSync(path, "utf8") === text ? "same" : "replace";
}

/** Writes what was shown: each file whole or not at all, never through a link, a replaced one only when that was said. */
export function writeAdditions(
  projectRoot: string,
  additions: readonly Addition[],
  mayReplace: boolean,
): readonly string[] {
  const folder = ownFolder(projectRoot);
  const wanted = additions.filter(({ action }) => action === "add" || action === "replace");
  return wanted.map(({ file, target, text }) => {
    const path = join(folder, file);
    if (!mayReplace && existsSync(path)) throw alreadyThere(target);
    const beside = join(folder, `.${file}.${randomBase36(6)}`);
    try {
      writeFileSync(beside, text, { flag: "wx", mode: 0o644 });
      // Replaces a link itself, not what it leads to.
      renameSync(beside, path);
    } finally {
      rmSync(beside, { force: true });
    }
    return target;
  });
}

/** `.ambit/templates` of this project, made where it is missing; refuses one that leads elsewhere. */
function ownFolder(projectRoot: string): string {
  let folder = projectRoot;
  for (const step of TEMPLATE_FOLDER.split("/")) {
    folder = join(folder, step);
    mkdirSync(folder, { recursive: true });
    if (lstatSync(folder).isDirectory()) continue;
    throw new DelegationError({
      code: "TEMPLATE_SOURCE_REFUSED",
      message: `${folder} is no folder of this project: it leads elsewhere. Nothing was written.`,
      recommendation: "Remove it, or make it a real folder.",
    });
  }
  return folder;
}

export function alreadyThere(target: string): DelegationError {
  return new DelegationError({
    code: "TEMPLATE_EXISTS",
    message: `${target} is there already and differs. Nothing was written.`,
    recommendation: "Add --replace to take the new one; what is there now is lost unless git has it.",
  });
}
