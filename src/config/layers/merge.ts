import { configKeys } from "../../contract/config-keys.ts";
import { configSchema, type ConfigValues } from "../../contract/config.ts";
import type { Setting } from "./setting.ts";

/** For each key the setting of the strongest layer; `settings` has the strongest first. */
export function pickWinners(settings: readonly Setting[]): ReadonlyMap<string, Setting> {
  const winners = new Map<string, Setting>();
  for (const setting of [...settings, ...defaults]) {
    if (!winners.has(setting.key)) winners.set(setting.key, setting);
  }
  return winners;
}

const defaults: readonly Setting[] = configKeys.map(({ key, default: value }) => ({
  key,
  value,
  origin: { layer: "default", source: "default" },
}));

/** Dotted keys as the nested object the rest of the program reads. */
export function buildValues(entries: readonly Setting[]): ConfigValues {
  return configSchema.parse(nestLeaves(entries.map(({ key, value }) => ({ path: key.split("."), value }))));
}

interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

function nestLeaves(leaves: readonly Leaf[]): Readonly<Record<string, unknown>> {
  const groups = new Map<string, readonly Leaf[]>();
  for (const { path, value } of leaves) {
    const [name = "", ...rest] = path;
    groups.set(name, [...(groups.get(name) ?? []), { path: rest, value }]);
  }
  return Object.fromEntries([...groups].map(([name, group]) => [name, nestGroup(group)]));
}

function nestGroup(group: readonly Leaf[]): unknown {
  const [first] = group;
  return first?.path.length === 0 ? first.value : nestLeaves(group);
}
