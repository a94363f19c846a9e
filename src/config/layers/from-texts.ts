import { findConfigKey } from "../../contract/config-keys.ts";
import type { Layer } from "../model/resolved-config.ts";
import { parseText } from "../values/parse-text.ts";
import { checkSetting } from "./check-setting.ts";
import { unknownKey } from "./unknown-key.ts";
import { joinReadings, type Reading } from "./setting.ts";

/** One flag or variable, and the settings it sets. */
export interface NamedValue {
  readonly source: string;
  readonly keys: readonly string[];
  readonly value: string | number | boolean;
}

/** Settings of the command line or the environment; of two values for one key the first wins. */
export function readNamedValues(layer: Layer, named: readonly NamedValue[]): Reading {
  return joinReadings(named.map((entry) => readNamedValue(layer, entry)));
}

/** A value that is wrong for several keys is one mistake, so only the first is reported. */
function readNamedValue(layer: Layer, { source, keys, value }: NamedValue): Reading {
  const readings = keys.map((name) => {
    const origin = { layer, source };
    const key = findConfigKey(name);
    if (key === undefined) return unknownKey(name, origin);
    return checkSetting(key, typeof value === "string" ? parseText(key, value) : value, origin);
  });
  const broken = readings.find(({ problems }) => problems.length > 0);
  return broken ?? joinReadings(readings);
}
