import { isSameJson } from "../../base/json.ts";
import { problemReading, joinReadings, type Reading, type Setting } from "./setting.ts";
import { formatOrigin } from "../model/resolved-config.ts";
import { describeValue } from "../values/describe-value.ts";

/** Joins the sources of one layer: the same value twice is fine, two different values are a contradiction. */
export function uniteReadings(readings: readonly Reading[]): Reading {
  const joined = joinReadings(readings);
  const first = new Map<string, Setting>();
  for (const setting of joined.settings) {
    if (!first.has(setting.key)) first.set(setting.key, setting);
  }
  const conflicts = joined.settings.flatMap((setting) => {
    const other = first.get(setting.key);
    return other === undefined || isSameJson(other.value, setting.value)
      ? []
      : [reportContradiction(other, setting)];
  });
  return joinReadings([{ ...joined, settings: [...first.values()] }, ...conflicts]);
}

function reportContradiction(first: Setting, second: Setting): Reading {
  return problemReading({
    code: "CONFIG_CONTRADICTION",
    key: second.key,
    origin: second.origin,
    reason: `is ${describeValue(second.value)} here but ${describeValue(first.value)} at ${formatOrigin(first.origin)}`,
  });
}
