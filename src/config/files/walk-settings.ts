import type { Pair, YAMLSeq } from "yaml";
import { accessControlKeys, type ConfigKey, configKeys } from "../../contract/config-keys.ts";
import { checkSetting } from "../layers/check-setting.ts";
import { joinReadings, problemReading, type Reading } from "../layers/setting.ts";
import { unknownKey } from "../layers/unknown-key.ts";
import type { Origin } from "../model/resolved-config.ts";
import { describeValue, makePrintable } from "../values/describe-value.ts";
import type { ParsedYaml } from "./parse-yaml.ts";
import type { YamlLibrary } from "./yaml-library.ts";

/** A file being read, and the section that its root is (`""` for a whole configuration). */
export interface FileScope {
  readonly parsed: ParsedYaml;
  readonly origin: Origin;
  readonly rootSection: string;
}

const MAX_FIELDS = 200;
const ACCESS_CONTROL = "delegation_access_control";

const readableKeys: ReadonlyMap<string, ConfigKey> = new Map(
  [...configKeys, ...accessControlKeys].map((entry) => [entry.key, entry]),
);
const sections: ReadonlySet<string> = new Set([...readableKeys.keys()].flatMap(listAncestors));

/** Every setting a file holds. Only known sections are entered, so the depth of the file does not matter. */
export function walkSettings(scope: FileScope): Reading {
  const root: unknown = scope.parsed.document.contents;
  return walkSection({ path: scope.rootSection, line: 1, node: root }, scope);
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly node: unknown;
}

function walkSection(place: Place, scope: FileScope): Reading {
  const origin = { ...scope.origin, line: place.line };
  const value = plainValue(place.node, scope.parsed.yaml);
  // A section whose keys are all commented out is empty, not wrong.
  if (value === null) return joinReadings([]);
  const key = place.path === "" ? undefined : place.path;
  const subject = key === undefined ? "the file " : "";
  const fields = listFields(place.node, scope.parsed);
  if (fields === undefined) {
    const reason = `${subject}is ${describeValue(value)}; expected a mapping of settings`;
    return problemReading({ code: "CONFIG_INVALID", key, origin, reason });
  }
  if (fields.length > MAX_FIELDS) {
    const reason = `${subject}has ${fields.length} keys; the most is ${MAX_FIELDS}`;
    return problemReading({ code: "CONFIG_INVALID", key, origin, reason });
  }
  return joinReadings(fields.map((field) => walkField(field, fields, { place, scope })));
}

interface Section {
  readonly place: Place;
  readonly scope: FileScope;
}

function walkField(field: Field, fields: readonly Field[], { place, scope }: Section): Reading {
  const path = buildPath(field.name, place, scope);
  const origin = { ...scope.origin, line: field.line };
  const first = fields.find(({ name }) => name === field.name);
  if (first !== undefined && first !== field) {
    const reason = `is written twice, first on line ${first.line}`;
    return problemReading({ code: "CONFIG_INVALID", key: makePrintable(path), origin, reason });
  }
  if (field.name.includes(".")) {
    const reason = "is not a setting; write it as nested keys";
    return problemReading({ code: "UNKNOWN_CONFIG_KEY", key: makePrintable(path), origin, reason });
  }
  if (sections.has(path)) return walkSection({ path, line: field.line, node: field.value }, scope);
  const key = readableKeys.get(path);
  return key === undefined
    ? unknownKey(path, origin, [...readableKeys.keys(), ...sections])
    : checkSetting(key, plainValue(field.value, scope.parsed.yaml), origin);
}

/** The rules per depth keep their own name at the root of either kind of file. */
function buildPath(name: string, place: Place, scope: FileScope): string {
  const atRoot = place.path === scope.rootSection;
  return place.path === "" || (atRoot && name === ACCESS_CONTROL) ? name : `${place.path}.${name}`;
}

function listAncestors(key: string): readonly string[] {
  const names = key.split(".");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("."));
}

/** One key of a mapping, with its line. */
interface Field {
  readonly name: string;
  readonly line: number;
  readonly value: unknown;
}

/** The keys of a mapping; `undefined` for anything else. */
function listFields(node: unknown, parsed: ParsedYaml): readonly Field[] | undefined {
  const { yaml, lineOf } = parsed;
  if (!yaml.isMap(node)) return undefined;
  return node.items.map(({ key, value }) => {
    const offset = yaml.isNode(key) ? (key.range?.[0] ?? 0) : 0;
    const name = yaml.isScalar(key) ? String(key.value) : "(not a plain key)";
    return { name, line: lineOf(offset), value };
  });
}

/**
 * A node as plain data: a list, or a mapping of single values and lists. No setting holds more.
 * Aliases are not followed, as a few of them can grow without bound; their text then fails as a value.
 */
function plainValue(node: unknown, yaml: YamlLibrary): unknown {
  if (yaml.isScalar(node)) return node.value;
  if (yaml.isAlias(node)) return `*${makePrintable(node.source)}`;
  if (yaml.isSeq(node)) return plainItems(node, yaml);
  if (yaml.isMap(node)) return Object.fromEntries(node.items.map((pair) => plainPair(pair, yaml)));
  return node === null || node === undefined ? null : {};
}

function plainPair({ key, value }: Pair, yaml: YamlLibrary): readonly [string, unknown] {
  const name = yaml.isScalar(key) ? String(key.value) : "(not a plain key)";
  if (yaml.isSeq(value)) return [name, plainItems(value, yaml)];
  return [name, yaml.isScalar(value) ? value.value : {}];
}

function plainItems({ items }: YAMLSeq, yaml: YamlLibrary): readonly unknown[] {
  return items.map((item) => (yaml.isScalar(item) ? item.value : {}));
}
