import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readErrorMessage } from "../base/delegation-error.ts";
import { templateErrors } from "../errors/templates.ts";
import { readTemplateFile } from "./files/read-template-file.ts";
import { MAX_TEMPLATES, TEMPLATE_FOLDER, parseTemplateName } from "./files/template-file.ts";

export {
  MAX_TEMPLATE_BYTES,
  MAX_TEMPLATES,
  TEMPLATE_FOLDER,
  parseTemplateName,
} from "./files/template-file.ts";

/** A file from a source of templates, by its name without folders. */
export type OfferedFile =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly problem: string };

/** Where a shared folder or repository keeps templates; the first folder that has one is used. */
export const sharedFolders = [TEMPLATE_FOLDER, "templates", ""] as const;

/** Reads the templates of a folder, or one file. It opens only names of templates, follows no links and runs nothing. */
export function readSourceFolder(path: string): readonly OfferedFile[] {
  const facts = statSource(path);
  if (facts.isFile()) return [readOffered(dirname(path), basename(path))];
  for (const place of sharedFolders) {
    const folder = join(path, place);
    const names = isRealFolder(path, place) ? listTemplateFiles(folder) : [];
    if (names.length > MAX_TEMPLATES)
      throw templateErrors.sourceRefused(
        path,
        `it has ${names.length} templates; the limit is ${MAX_TEMPLATES}`,
      );
    if (names.length > 0) return names.map((name) => readOffered(folder, name));
  }
  throw templateErrors.sourceRefused(
    path,
    `it has no template: no .md or .yaml file in ${TEMPLATE_FOLDER}, templates or the folder itself`,
  );
}

function statSource(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw templateErrors.sourceRefused(path, `it cannot be read: ${readErrorMessage(error)}`);
  }
}

/** Refuses links on the path: they lead to a folder that was not named. */
function isRealFolder(path: string, place: string): boolean {
  const steps = place === "" ? [] : place.split("/");
  return steps.every((_step, index) =>
    lstatSync(join(path, ...steps.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function listTemplateFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && parseTemplateName(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

function readOffered(folder: string, file: string): OfferedFile {
  return { file, ...readTemplateFile(join(folder, file)) };
}
