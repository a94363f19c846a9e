import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { loadConfig } from "../../config/load-config.ts";
import { templateErrors } from "../../errors/templates.ts";
import { parseTemplateName, readSourceFolder, type OfferedFile } from "../../templates/read-source-folder.ts";
import type { AppContext } from "../project/app-context.ts";
import { configInput } from "../project/config-input.ts";
import { fetchOffered, isGitUrl } from "./fetch-offered.ts";

/** Where templates are searched and published: as given, or as `templates.index` says. */
export async function findIndex(context: AppContext, given: string | undefined): Promise<string> {
  const index = given ?? (await readUsualIndex(context));
  if (index === null) throw templateErrors.noIndex();
  return index;
}

async function readUsualIndex(context: AppContext): Promise<string | null> {
  return (await loadConfig(configInput(context))).values.templates.index;
}

export interface IndexContent {
  readonly offered: readonly OfferedFile[];
  readonly commit: string | null;
}

/** Every template of the index, as it is there; runs nothing of it. */
export async function readIndex(context: AppContext, index: string): Promise<IndexContent> {
  if (isGitUrl(index)) return fetchOffered(context, index, undefined);
  return { offered: readSourceFolder(resolve(context.directory, index)), commit: null };
}

/** The one template of the index that a bare name means; undefined where the word is a folder or a file here. */
export async function findInIndex(context: AppContext, word: string): Promise<IndexContent | undefined> {
  if (parseTemplateName(`${word}.md`) === undefined || existsSync(resolve(context.directory, word)))
    return undefined;
  const index = await readUsualIndex(context);
  if (index === null) return undefined;
  const { offered, commit } = await readIndex(context, index);
  const found = offered.filter(({ file }) => parseTemplateName(file) === word);
  if (found.length > 0) return { offered: found, commit };
  const known = offered.flatMap(({ file }) => parseTemplateName(file) ?? []);
  throw templateErrors.notInIndex(word, index, known);
}
