import { basename } from "node:path";
import { isSameJson } from "../base/json.ts";
import { findConfigKey } from "../contract/config-keys.ts";
import { configErrors } from "../errors/config.ts";
import { configError, type ConfigProblem } from "./model/config-problem.ts";
import { readText } from "./files/read-text.ts";
import { rewriteFile } from "./files/rewrite-file.ts";
import { checkSetting } from "./layers/check-setting.ts";
import { unknownKey } from "./layers/unknown-key.ts";
import type { Origin } from "./model/resolved-config.ts";
import { parseText } from "./values/parse-text.ts";
import { parseYaml, type ParsedYaml } from "./files/parse-yaml.ts";
import { readParsed } from "./files/read-file.ts";
import { findContradictions } from "./layers/contradictions.ts";
import { pickWinners } from "./layers/merge.ts";
import { uniteReadings } from "./layers/unite.ts";
import { SCHEMA_LINE } from "./schema-copy.ts";
import { spliceSetting } from "./edit/splice-setting.ts";

/** The outcome of `setConfigValue`; `previous` is `undefined` where the file did not have the key. */
export interface EditedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly previous: unknown;
}

/**
 * Sets one key of a configuration file, made if missing, leaving every other byte as it is.
 * Throws before anything is written: unknown key, bad value, a broken file, or a contradiction the change would cause.
 */
export async function setConfigValue(file: string, key: string, textValue: string): Promise<EditedSetting> {
  const value = readValue(key, textValue);
  let previous: unknown;
  await rewriteFile(file, async () => {
    const before = await readSettings(currentText(file), buildOrigin(file));
    throwIfAny(before.problems.filter((problem) => isInTheWay(problem, key)));
    previous = before.settings.get(key);
    const after = await changeSetting(before, key, value);
    throwIfAny(newProblems(before, after));
    return after.text === before.text ? undefined : after.text;
  });
  return { key, value, previous };
}

function readValue(name: string, textValue: string): unknown {
  const origin: Origin = { layer: "flag", source: "config set" };
  const key = findConfigKey(name);
  const reading =
    key === undefined ? unknownKey(name, origin) : checkSetting(key, parseText(key, textValue), origin);
  throwIfAny(reading.problems);
  return reading.settings[0]?.value;
}

function currentText(file: string): string {
  const content = readText(file);
  if (content.kind === "text") return content.text;
  // Elsewhere than in a project the schema is not where the line says.
  if (content.kind === "missing") return basename(file) === "ambit.yaml" ? SCHEMA_LINE : "";
  throw configError([{ code: "INPUT_UNREADABLE", origin: buildOrigin(file), reason: content.reason }]);
}

function buildOrigin(file: string): Origin {
  return { layer: "project", source: basename(file) };
}

/** A file or section that is not a mapping has no place for the key. */
function isInTheWay(problem: ConfigProblem, key: string): boolean {
  return problem.key === undefined || key.startsWith(`${problem.key}.`);
}

/** A file may be wrong elsewhere, even be mended step by step; the change must only not make it worse. */
function newProblems(before: SettingsText, after: SettingsText): readonly ConfigProblem[] {
  const known = new Set(before.problems.map(({ code, key }) => `${code} ${key}`));
  return after.problems.filter(({ code, key }) => !known.has(`${code} ${key}`));
}

function throwIfAny(problems: readonly ConfigProblem[]): void {
  if (problems.length > 0) throw configError(problems);
}

/** A file's text, what it sets, and what is wrong with that. */
interface SettingsText {
  readonly text: string;
  readonly origin: Origin;
  readonly parsed: ParsedYaml;
  readonly settings: ReadonlyMap<string, unknown>;
  readonly problems: readonly ConfigProblem[];
}

async function readSettings(text: string, origin: Origin): Promise<SettingsText> {
  const parsed = await parseYaml(text);
  const reading = uniteReadings([readParsed(parsed, { origin, rootSection: "" })]);
  return {
    text,
    origin,
    parsed,
    settings: new Map(reading.settings.map(({ key, value }) => [key, value])),
    problems: [...reading.problems, ...findContradictions(pickWinners(reading.settings))],
  };
}

/** The file with one setting changed. What was written is read back: it holds this change and nothing else. */
async function changeSetting(before: SettingsText, key: string, value: unknown): Promise<SettingsText> {
  const path = key.split(".");
  const spliced = spliceSetting({ parsed: before.parsed, path, value });
  const after = spliced === undefined ? undefined : await readSettings(spliced, before.origin);
  if (after !== undefined && holdsOnly(before, after, { key, value })) return after;
  const rewritten = await readSettings(rewriteDocument(before.parsed, path, value), before.origin);
  if (holdsOnly(before, rewritten, { key, value })) return rewritten;
  throw configErrors.notSettable(before.origin.source, key);
}

/** For unusual files: the library writes the whole document again, comments included, in its own layout. */
function rewriteDocument({ document }: ParsedYaml, path: readonly string[], value: unknown): string {
  for (const length of path.slice(1).keys()) {
    const section = path.slice(0, length + 1);
    if (document.getIn(section) === null) document.deleteIn(section);
  }
  document.setIn(path, value);
  return document.toString({ lineWidth: 0 });
}

interface WantedSetting {
  readonly key: string;
  readonly value: unknown;
}

function holdsOnly(before: SettingsText, after: SettingsText, { key, value }: WantedSetting): boolean {
  if (after.parsed.problems.length > 0) return false;
  const expected = new Map(before.settings).set(key, value);
  const isSame = [...expected].every(([name, wanted]) => isSameJson(after.settings.get(name), wanted));
  return isSame && after.settings.size === expected.size;
}
