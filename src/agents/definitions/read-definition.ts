import type { ListedDefinition } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { readFrontMatter } from "./front-matter.ts";
import { interpretDefinition, type RawDefinition } from "./interpret.ts";
import type { DefinitionFile } from "./read-folder.ts";
import { readTomlFields } from "./toml.ts";
import { readText } from "./values.ts";

/** One file as a definition, or the reason why it cannot be used. */
export async function readOneDefinition(
  folder: DefinitionFolder,
  { file, stem, text, problem }: DefinitionFile,
): Promise<ListedDefinition> {
  if (text !== undefined) return interpretDefinition(await readRawDefinition(folder, { file, stem, text }));
  const { source } = folder;
  const nothing = { definition: undefined, fields: [], notes: [], shadowedBy: undefined };
  return { name: stem, source, file, problem, ...nothing };
}

async function readRawDefinition(
  folder: DefinitionFolder,
  { file, stem, text }: { readonly file: string; readonly stem: string; readonly text: string },
): Promise<RawDefinition> {
  if (folder.extension === ".toml") {
    const { fields, problems } = await readTomlFields(text);
    const body = (readText(fields[folder.rules?.instructionsField ?? ""]) ?? "").trim();
    return { folder, file, stem, fields, body, notes: problems };
  }
  const { fields, body, isLoose } = await readFrontMatter(text);
  const notes = isLoose ? ["its front matter is not valid YAML and was read line by line"] : [];
  return { folder, file, stem, fields, body, notes };
}
