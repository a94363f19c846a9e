import { fileAccessByDepth } from "../../contract/access-control.ts";
import { findConfigKey } from "../../contract/config-keys.ts";
import { formatOrigin } from "../model/resolved-config.ts";
import type { Reading, Setting } from "./setting.ts";

/** Prefix of the rules per depth, whichever way a file spelled them. */
const RULES = "delegation.accessControl.";
const OTHER_SPELLING = "delegation_access_control.";

/**
 * Adds the settings that rules per depth mean: `max_delegations` is a fan-out limit, and `can_delegate: false`
 * a fan-out of none. The rules stay, as what they claim about depth is checked once all layers are known.
 */
export function readAccessControl(reading: Reading): Reading {
  const settings = reading.settings.map(useOneSpelling);
  return {
    ...reading,
    settings: [...settings, ...settings.flatMap(readFanOut)],
    warnings: [...reading.warnings, ...settings.flatMap(listWarnings)],
  };
}

/** The depth and name of a rule: `depth_1.can_delegate` is `{ depth: 1, name: "can_delegate" }`. */
export function parseRule(setting: Setting): { readonly depth: number; readonly name: string } | undefined {
  if (!setting.key.startsWith(RULES)) return undefined;
  const [level = "", name = ""] = setting.key.slice(RULES.length).split(".");
  return { depth: Number(level.slice("depth_".length)), name };
}

function useOneSpelling(setting: Setting): Setting {
  if (!setting.key.startsWith(OTHER_SPELLING)) return setting;
  return { ...setting, key: RULES + setting.key.slice(OTHER_SPELLING.length) };
}

function readFanOut(setting: Setting): readonly Setting[] {
  const rule = parseRule(setting);
  const key = `delegation.fanOut.depth${rule?.depth}`;
  // The deepest level has no fan-out of its own.
  if (rule === undefined || findConfigKey(key) === undefined) return [];
  if (rule.name === "max_delegations") return [{ ...setting, key }];
  return rule.name === "can_delegate" && setting.value === false ? [{ ...setting, key, value: 0 }] : [];
}

function listWarnings(setting: Setting): readonly string[] {
  const rule = parseRule(setting);
  if (rule?.name !== "file_access" || setting.value === fileAccessByDepth[rule.depth]) return [];
  return [
    `${formatOrigin(setting.origin)}: ${setting.key} changes nothing; a delegation's file scope decides`,
  ];
}
