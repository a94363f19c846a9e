import { TomlText } from "./toml-text.ts";

export interface TomlFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What could not be read, with its line. */
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 20;

/**
 * The fields of a definition in TOML: texts of all four kinds, lists, truth values and numbers at the top; tables only by
 * their name, as none of them means anything here. A line nobody can read is named and left out.
 */
export function readToml(text: string): TomlFields {
  const source = new TomlText(text);
  const fields = new Map<string, unknown>();
  const problems: string[] = [];
  let table: string | undefined;
  for (source.skipBlank(); !source.isAtEnd(); source.skipBlank()) {
    const start = source.position();
    const header = source.takeTable();
    if (header !== undefined) {
      table = header.split(".")[0] ?? header;
      if (!fields.has(table)) fields.set(table, {});
      continue;
    }
    const entry = source.takeEntry();
    if (entry === undefined && problems.length < MOST_PROBLEMS)
      problems.push(`line ${source.lineAt(start)} is no TOML`);
    if (entry !== undefined && table === undefined) setField(fields, entry.key, entry.value);
  }
  return { fields: Object.fromEntries(fields), problems };
}

/** `a.b = 1` belongs to `a`, which is a table then. */
function setField(fields: Map<string, unknown>, key: string, value: unknown): void {
  const dot = key.indexOf(".");
  if (dot === -1) fields.set(key, value);
  else if (!fields.has(key.slice(0, dot))) fields.set(key.slice(0, dot), {});
}
