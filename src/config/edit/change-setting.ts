import { configErrors } from "../../errors/config.ts";
import type { ConfigProblem } from "../model/config-problem.ts";
import { parseYaml, type ParsedYaml } from "../files/parse-yaml.ts";
import { readParsed } from "../files/read-file.ts";
import { findContradictions } from "../layers/contradictions.ts";
import { pickWinners } from "../layers/merge.ts";
import { uniteReadings } from "../layers/unite.ts";
import type { Origin } from "../model/resolved-config.ts";
import { spliceSetting } from "./splice-setting.ts";

/** A file's text, what it sets, and what is wrong with that. */
export interface SettingsText {
  readonly text: string;
  readonly origin: Origin;
  readonly parsed: ParsedYaml;
  readonly settings: ReadonlyMap<string, unknown>;
  readonly problems: readonly ConfigProblem[];
}

export async function readSettings(text: string, origin: Origin): Promise<SettingsText> {
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
export async function changeSetting(
  before: SettingsText,
  key: string,
  value: unknown,
): Promise<SettingsText> {
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

interface Wanted {
  readonly key: string;
  readonly value: unknown;
}

function holdsOnly(before: SettingsText, after: SettingsText, { key, value }: Wanted): boolean {
  if (after.parsed.problems.length > 0) return false;
  const expected = new Map(before.settings).set(key, value);
  const isSame = [...expected].every(([name, wanted]) => isEqual(after.settings.get(name), wanted));
  return isSame && after.settings.size === expected.size;
}

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
