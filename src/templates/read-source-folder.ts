import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../base/delegation-error.ts";
import { readTemplateFile } from "./parsing/read-file.ts";
import { sourceRefused } from "./adding/source-refused.ts";
import { MOST_TEMPLATES, TEMPLATE_FOLDER, templateNameOf } from "./template-file.ts";

/** A file somebody offers, by its bare name. */
export type OfferedFile =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly problem: string };

/** Where templates lie in a folder or repository that is made to be shared; the first that has one counts. */
export const sharedFolders = [TEMPLATE_FOLDER, "templates", ""] as const;

/** Templates of a folder, or one file. Only names it could have are looked at, and nothing is followed or run. */
export function readSourceFolder(path: string): readonly OfferedFile[] {
  const facts = statSource(path);
  if (facts.isFile()) return [readOffered(dirname(path), basename(path))];
  for (const place of sharedFolders) {
    const folder = join(path, place);
    const names = isRealFolder(path, place) ? templatesIn(folder) : [];
    if (names.length > MOST_TEMPLATES)
      throw sourceRefused(path, `it holds ${names.length} templates; at most ${MOST_TEMPLATES} are taken`);
    if (names.length > 0) return names.map((name) => readOffered(folder, name));
  }
  throw sourceRefused(
    path,
    `it holds no template: no .md or .yaml in ${TEMPLATE_FOLDER}, templates or itself`,
  );
}

function statSource(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    throw sourceRefused(path, `it cannot be read: ${messageOf(error)}`);
  }
}

/** A folder on the way that is a link leads somewhere nobody named. */
function isRealFolder(path: string, place: string): boolean {
  const steps = place === "" ? [] : place.split("/");
  return steps.every((_step, index) =>
    lstatSync(join(path, ...steps.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
}

function templatesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && templateNameOf(entry.name) !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

function readOffered(folder: string, file: string): OfferedFile {
  return { file, ...readTemplateFile(join(folder, file)) };
}
