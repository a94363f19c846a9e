import type { Pair } from "yaml";
import { makePrintable } from "../values/describe-value.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import type { YamlLibrary } from "./yaml-library.ts";

/** One key of a mapping, with its line. */
export interface Field {
  readonly name: string;
  readonly line: number;
  readonly value: unknown;
}

/** The keys of a mapping; `undefined` for anything else. */
export function listFields(node: unknown, parsed: ParsedYaml): readonly Field[] | undefined {
  const { yaml, lineOf } = parsed;
  if (!yaml.isMap(node)) return undefined;
  return node.items.map(({ key, value }) => {
    const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const name = yaml.isScalar(key) ? String(key.value) : "(not a plain key)";
    return { name, line: lineOf(offset), value };
  });
}

/**
 * A node as plain data, one list or mapping deep: no setting holds more.
 * Aliases are not followed, as a few of them can grow without bound; their text then fails as a value.
 */
export function plainValue(node: unknown, yaml: YamlLibrary): unknown {
  if (yaml.isScalar(node)) return node.value;
  if (yaml.isAlias(node)) return `*${makePrintable(node.source)}`;
  if (yaml.isSeq(node)) return node.items.map((item) => (yaml.isScalar(item) ? item.value : {}));
  if (yaml.isMap(node)) return Object.fromEntries(node.items.map((pair) => plainPair(pair, yaml)));
  return node === null || node === undefined ? null : {};
}

function plainPair({ key, value }: Pair, yaml: YamlLibrary): readonly [string, unknown] {
  const name = yaml.isScalar(key) ? String(key.value) : "(not a plain key)";
  return [name, yaml.isScalar(value) ? value.value : {}];
}
