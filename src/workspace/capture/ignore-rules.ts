import { lstatSync, readFileSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { matchSegment } from "../../base/glob.ts";
import { readRegularFile } from "../../base/files.ts";
import { joinBytePath, listFoldersAbove } from "../files/byte-path.ts";

export interface IgnoreSources {
  readonly workTree: string;
  /** Files of the user with rules; links are followed, as git does it. */
  readonly files: readonly string[];
  /** More rules, one in each text. */
  readonly patterns: readonly string[];
}

/** The parts of one rule between its slashes: each has to match some part of a path that the rule is to match. */
type Rule = readonly string[];

const MAX_FILE_BYTES = 256 * 1024;
/** Matches every path: only git can tell. */
const unclear: readonly Rule[] = [[]];
const BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
/** Git itself interprets patterns with these. */
const DIFFICULT = /[\\[]|\*\*/;

/**
 * The rules for ignored files, taken more widely than git takes them: a path that matches none here is not ignored, and a
 * path that matches one may be. All texts are bytes as Latin-1.
 */
export class IgnoreRules {
  readonly #workTree: string;
  readonly #everywhere: readonly Rule[];
  readonly #byFolder = new Map<string, readonly Rule[]>();

  constructor({ workTree, files, patterns }: IgnoreSources) {
    this.#workTree = workTree;
    this.#everywhere = [
      ...files.flatMap(readUserRules),
      ...patterns.flatMap((pattern) => parseRules(Buffer.from(pattern))),
    ];
  }

  mayIgnore(path: string): boolean {
    const parts = path.split("/");
    const rules = ["", ...listFoldersAbove(path)].flatMap((folder) => this.#rulesIn(folder));
    return [...this.#everywhere, ...rules].some((rule) =>
      rule.every((pattern) => parts.some((part) => matchSegment(pattern, part))),
    );
  }

  #rulesIn(folder: string): readonly Rule[] {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const path = joinBytePath(this.#workTree, folder === "" ? ".gitignore" : `${folder}/.gitignore`);
    const rules = lstatSync(path, { throwIfNoEntry: false }) === undefined ? [] : readRules(path);
    this.#byFolder.set(folder, rules);
    return rules;
  }
}

/** Git follows no link here. */
function readRules(path: Buffer): readonly Rule[] {
  const content = readRegularFile(path, MAX_FILE_BYTES);
  return content === undefined ? unclear : parseRules(content);
}

function readUserRules(file: string): readonly Rule[] {
  if (!isAbsolute(file)) return unclear;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isFile() && stats.size <= MAX_FILE_BYTES ? parseRules(readFileSync(file)) : unclear;
}

function parseRules(content: Buffer): readonly Rule[] {
  // Git ends a rule at a zero.
  if (content.includes(0)) return unclear;
  const text = content.toString("latin1");
  const whole = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  return whole.split("\n").flatMap(parseRule);
}

function parseRule(line: string): readonly Rule[] {
  const text = trimSpaces(line.endsWith("\r") ? line.slice(0, -1) : line);
  // Files that such a rule matches are not ignored, so it can only take away from the others.
  if (text === "" || text.startsWith("#") || text.startsWith("!")) return [];
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "" || part === "**") continue;
    const at = part.search(DIFFICULT);
    // Brackets stand for one character.
    parts.push(at === -1 ? part : `${part.slice(0, at)}${part[at] === "[" ? "?*" : "*"}`);
    // From here on, the slashes may have another meaning, too.
    if (at !== -1) break;
  }
  return [parts];
}

function trimSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end -= 1;
  return text.slice(0, end);
}
