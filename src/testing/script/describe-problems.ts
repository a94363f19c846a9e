import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** One line per problem, with its place. For a union it reports only the alternative that was meant. */
export function describeProblems(error: z.ZodError): string {
  return error.issues
    .flatMap((issue) => chooseIssues(issue))
    .map(({ path, message }) => `  ${renderPlace(path)}: ${message}`)
    .join("\n");
}

/** An alternative was meant if the value has the right type at its root. */
function chooseIssues(issue: Issue): readonly Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find((branch) => branch.every(({ path }) => path.length > 0));
  if (meant === undefined) return [issue];
  return meant.flatMap((inner) => chooseIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

function renderPlace(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("");
}
