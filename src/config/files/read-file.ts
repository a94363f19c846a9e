import { readAccessControl } from "../layers/access-control.ts";
import { emptyReading, problemReading, type Reading } from "../layers/setting.ts";
import type { Origin } from "../model/resolved-config.ts";
import { TextMemo } from "../../base/text-memo.ts";
import { parseYaml, type ParsedYaml } from "./parse-yaml.ts";
import { readText } from "./read-text.ts";
import { walkSettings } from "./walk-settings.ts";

/** How messages name a file, and which section its root is. */
export interface FileRoot {
  readonly origin: Origin;
  readonly rootSection: "" | "delegation";
}

export interface ConfigFile extends FileRoot {
  readonly path: string;
  /** A file named by the user must exist; the others may be missing. */
  readonly required: boolean;
}

export async function readConfigFile(file: ConfigFile): Promise<Reading> {
  const content = readText(file.path);
  if (content.kind === "text") return readParsed(await parseOnce(file.path, content.text), file);
  if (content.kind === "missing" && !file.required) return emptyReading;
  const reason = content.kind === "missing" ? "does not exist" : content.reason;
  return problemReading({ code: "INPUT_UNREADABLE", origin: file.origin, reason });
}

/** A supervisor reads its settings again for every delegation. */
const parsedFiles = new TextMemo<ParsedYaml>();

async function parseOnce(path: string, text: string): Promise<ParsedYaml> {
  return parsedFiles.find(path, text) ?? parsedFiles.keep(path, text, await parseYaml(text));
}

/** The settings of a file; with a syntax problem nothing else is reported, as all of it would be guesswork. */
export function readParsed(parsed: ParsedYaml, { origin, rootSection }: FileRoot): Reading {
  if (parsed.problems.length === 0) return readAccessControl(walkSettings({ parsed, origin, rootSection }));
  const problems = parsed.problems.map(({ line, reason }) => ({
    code: "CONFIG_INVALID" as const,
    origin: { layer: origin.layer, source: origin.source, line },
    reason,
  }));
  return { ...emptyReading, problems };
}
