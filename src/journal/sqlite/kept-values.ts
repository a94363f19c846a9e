import type { KeptError } from "../../contract/agent-return.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import type { Delegation, Story } from "../model/store.ts";

/** Lists that were validated before they were hashed into the journal; here it is enough to recognise them. */
export function errorsFromText(stored: string): Delegation["errors"] {
  if (stored === "[]") return [];
  const value: unknown = JSON.parse(stored);
  return Array.isArray(value) ? value.filter(isKeptError) : [];
}

function isKeptError(value: unknown): value is KeptError {
  return typeof value === "object" && value !== null && "code" in value && "recommendation" in value;
}

export function settingsFromText(stored: string | null): Story["settings"] {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  return Array.isArray(value) ? value.filter(isSetting) : null;
}

function isSetting(value: unknown): value is StorySetting {
  return typeof value === "object" && value !== null && "name" in value && "origin" in value;
}
