import { configKeys } from "../../contract/config-keys.ts";
import type { Origin } from "../model/resolved-config.ts";
import { makePrintable } from "../values/describe-value.ts";
import { suggestKey } from "../values/suggest-key.ts";
import { problemReading, type Reading } from "./setting.ts";

const settingKeys: readonly string[] = configKeys.map(({ key }) => key);

/** Reports an unknown key, with the one that was probably meant: by spelling, or by its name in another section. */
export function unknownKey(key: string, origin: Origin, known: readonly string[] = settingKeys): Reading {
  const meant = suggestKey(key, known) ?? known.find((candidate) => lastName(candidate) === lastName(key));
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return problemReading({
    code: "UNKNOWN_CONFIG_KEY",
    key: makePrintable(key),
    origin,
    reason: `is not a setting${hint}`,
  });
}

function lastName(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}
