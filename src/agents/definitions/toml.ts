import { isRecord } from "../../base/json.ts";

export interface TomlFields {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The lines that could not be read. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 20;
const BYTE_ORDER_MARK = "\uFEFF";

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
