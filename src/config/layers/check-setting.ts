import type { ConfigKey } from "../../contract/config-keys.ts";
import type { Origin } from "../model/resolved-config.ts";
import { checkValue } from "../values/check-value.ts";
import { problemReading, type Reading } from "./setting.ts";

/** One value for one key: a setting, or the problem with it. */
export function checkSetting(key: ConfigKey, value: unknown, origin: Origin): Reading {
  const checked = checkValue(key, value);
  if (!checked.ok) return problemReading({ ...checked, key: key.key, origin });
  return { settings: [{ key: key.key, value: checked.value, origin }], problems: [], warnings: [] };
}
