import type * as z from "zod";
import { invalidField, missingField, ownField, type Problem } from "./return-problem.ts";

/** Enough to act on; a hostile value can hold thousands. */
const MAX_PROBLEMS = 20;

/** Checks a value against a schema and names each bad field: absent (or null) fields are missing, others invalid. */
export function schemaProblems(schema: z.ZodType, value: unknown, prefix = ""): Problem[] {
  const result = schema.safeParse(withoutNulls(value));
  if (result.success) return [];
  return result.error.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const name = (prefix + fieldName(issue.path)).replace(/\.$/, "");
    return isAbsent(value, issue.path) ? missingField(name) : invalidField(name || "value", issue.message);
  });
}

function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function isAbsent(value: unknown, path: readonly PropertyKey[]): boolean {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null) return false;
    current = ownField(current, String(key));
  }
  return current === undefined || current === null;
}

/** Several agents write `null` for fields they omit. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
