import type * as z from "zod";

type Issue = z.core.$ZodIssue;

const MAX_SHOWN = 3;

/** Says in plain words what is wrong with a value that a schema refused: which field, and what it must be. */
export function describeSchemaIssues({ issues }: { readonly issues: readonly Issue[] }): string {
  const more = issues.length - MAX_SHOWN;
  const shown = issues.slice(0, MAX_SHOWN).map(describeIssue).join("; ");
  return more > 0 ? `${shown}; and ${more} more` : shown;
}

function describeIssue(issue: Issue): string {
  const field = issue.path.length === 0 ? "it" : issue.path.map(String).join(".");
  return `${field} ${describeRule(issue)}`;
}

function describeRule(issue: Issue): string {
  switch (issue.code) {
    case "too_small":
      return describeBound(issue, issue.minimum, "at least");
    case "too_big":
      return describeBound(issue, issue.maximum, "at most");
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_type":
      // Zod's word for a value of any kind that must be there.
      if (issue.expected === "nonoptional") return "is missing";
      return issue.input === undefined && issue.message.includes("undefined")
        ? `is missing: it must be ${nameType(issue.expected)}`
        : `must be ${nameType(issue.expected)}`;
    case "unrecognized_keys":
      return `does not have ${issue.keys.map((key) => JSON.stringify(key)).join(", ")}`;
    default:
      return `is not valid (${issue.message})`;
  }
}

function describeBound(
  { origin }: { readonly origin: string },
  bound: bigint | number,
  words: string,
): string {
  const isList = origin === "array";
  if ((isList || origin === "string") && words === "at least" && Number(bound) === 1) return "is empty";
  if (origin === "string") {
    return `must have ${words} ${bound} characters`;
  }
  return isList ? `must have ${words} ${bound} entries` : `must be ${words} ${bound}`;
}

function nameType(expected: string): string {
  const article = /^[aeiou]/.test(expected) ? "an" : "a";
  return `${article} ${expected === "int" ? "whole number" : expected}`.replace("an whole", "a whole");
}
