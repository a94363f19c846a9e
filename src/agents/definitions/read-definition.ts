import { isRecord } from "../../base/json.ts";
import type { ListedDefinition } from "./agent-definition.ts";
import type { DefinitionFolder } from "./folders.ts";
import { readFrontMatter } from "./front-matter.ts";
import { interpretDefinition, type RawDefinition } from "./interpret.ts";
import type { DefinitionFile } from "./read-folder.ts";
import { readText } from "./values.ts";

const MAX_PROBLEMS = 20;
const BYTE_ORDER_MARK = "\uFEFF";

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

interface TomlFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The lines that could not be read. */
  readonly problems: readonly string[];
}

/** The fields of a definition in TOML. A line that is not valid is reported and left out; the rest is still read. */
export async function readTomlFields(text: string): Promise<TomlFields> {
  const { parse, TomlError } = await import("smol-toml");
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lines = plain.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  const problems: string[] = [];
  for (;;) {
    try {
      const fields: unknown = parse(lines.join("\n"));
      return { fields: isRecord(fields) ? fields : {}, problems };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const broken = findBrokenLine(lines, error.line);
      if (broken < 0) return { fields: {}, problems };
      if (problems.length < MAX_PROBLEMS) {
        problems.push(`line ${broken + 1} is not valid TOML`);
        lines[broken] = "";
      } else lines.splice(broken);
    }
  }
}

/** The parser points after a value that does not end, so the last line with text before that place is the broken one. */
function findBrokenLine(lines: readonly string[], line: number): number {
  return lines.findLastIndex((text, index) => index < line && text.trim() !== "");
}
