import type * as z from "zod";
import type { ConfigKey } from "../../contract/config-keys.ts";
import type { Origin } from "../model/resolved-config.ts";
import type { ConfigProblemCode } from "../model/config-problem.ts";
import { describeValue } from "../values/describe-value.ts";
import { problemReading, type Reading } from "./setting.ts";

/** One value for one key: a setting, or the problem with it. */
export function checkSetting(key: ConfigKey, value: unknown, origin: Origin): Reading {
  const checked = checkValue(key, value);
  if (!checked.ok) return problemReading({ ...checked, key: key.key, origin });
  return { settings: [{ key: key.key, value: checked.value, origin }], problems: [], warnings: [] };
}

type CheckedValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ConfigProblemCode; readonly reason: string };

/** Checks a value for a key; the reason continues a sentence that begins with the key's name. */
function checkValue(key: ConfigKey, value: unknown): CheckedValue {
  // A schema with a default would quietly turn a missing value into it.
  const result = key.schema.safeParse(value === undefined ? null : value);
  if (result.success) return { ok: true, value: result.data };
  const [issue] = result.error.issues;
  const outOfRange = typeof value === "number" && (issue?.code === "too_big" || issue?.code === "too_small");
  return {
    ok: false,
    code: outOfRange ? "CONFIG_OUT_OF_RANGE" : "CONFIG_INVALID",
    reason: `is ${describeValue(value)}; ${explainIssue(key, issue)}`,
  };
}

function explainIssue(key: ConfigKey, issue: z.core.$ZodIssue | undefined): string {
  const numeric = key.type === "integer" || key.type === "number";
  if (issue?.code === "custom") return `it ${issue.message}`;
  if (issue?.code === "invalid_value") return `expected ${issue.values.map(String).join(", ")}`;
  if (numeric && issue?.code === "too_big") return `the hard cap is ${key.hardCap ?? issue.maximum}`;
  if (numeric && issue?.code === "too_small") {
    return issue.inclusive === true ? `the least is ${issue.minimum}` : `it must be above ${issue.minimum}`;
  }
  return `expected ${describeExpected(key)}`;
}

function describeExpected(key: ConfigKey): string {
  switch (key.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "text":
      return "text";
    case "list":
      return 'a list of texts such as ["a", "b"]';
    case "map":
      return key.schema.safeParse({ name: ["a"] }).success
        ? 'names with lists such as {"name": ["a", "b"]}'
        : 'names with their values such as {"NAME": "value"}';
    case "choice":
      return key.choices.join(", ");
  }
}
