import { artifactSchema, artifactTypes } from "./agent-return.ts";
import { returnCaps } from "./read-return.ts";
import { invalidField, ownField, type Fields, type Problem } from "./return-problem.ts";
import { schemaProblems, withoutNulls } from "./schema-problems.ts";

/** The state of a path inside the project, according to the file system or an imported tree. */
export type ArtifactState = "file" | "empty" | "missing" | "escapes";
export type ArtifactProbe = (path: string) => ArtifactState;

export interface ArtifactRules {
  readonly status: string | undefined;
  readonly command: string | undefined;
  readonly probe?: ArtifactProbe;
  readonly artifactTypes?: readonly string[];
}

/** Commands whose purpose is a file (C15). */
const COMMANDS_OWING_A_FILE: ReadonlySet<string> = new Set(["research", "plan"]);

export function checkArtifacts(
  fields: Fields,
  rules: ArtifactRules,
): { readonly problems: readonly Problem[] } {
  const artifacts = ownField(fields, "artifacts");
  if (artifacts === undefined || artifacts === null) return { problems: [] };
  if (!Array.isArray(artifacts)) return { problems: [invalidField("artifacts", "expected an array")] };
  if (artifacts.length > returnCaps.artifacts) {
    const message = `Too many artifacts: ${artifacts.length} (max ${returnCaps.artifacts})`;
    return { problems: [{ code: "TOO_LARGE", message }] };
  }
  if (artifacts.length === 0) return { problems: owedFile(rules) };
  return { problems: artifacts.flatMap((artifact: unknown, index) => checkArtifact(artifact, index, rules)) };
}

function owedFile(rules: ArtifactRules): Problem[] {
  const { command, status } = rules;
  if (status !== "completed" || command === undefined || !COMMANDS_OWING_A_FILE.has(command)) return [];
  return [{ code: "ARTIFACT_REQUIRED", message: `A completed ${command} must name at least one artifact` }];
}

function checkArtifact(value: unknown, index: number, rules: ArtifactRules): Problem[] {
  const result = artifactSchema.safeParse(withoutNulls(value));
  if (!result.success) return schemaProblems(artifactSchema, value, `artifacts[${index}].`);
  const { type, path } = result.data;
  return [...checkType(type, rules), ...checkPath(path, index), ...checkFile(path, rules)];
}

function checkType(type: string, rules: ArtifactRules): Problem[] {
  const known = [...artifactTypes, ...(rules.artifactTypes ?? [])];
  if (known.includes(type)) return [];
  const message = `Invalid artifact type: ${type.slice(0, 60)} (known: ${known.join(", ")})`;
  return [{ code: "INVALID_ARTIFACT_TYPE", message }];
}

function checkPath(path: string, index: number): Problem[] {
  const shown = path.slice(0, 120);
  switch (judgeRelativePath(path)) {
    case "inside":
      return [];
    case "absolute":
      return [
        {
          code: "ARTIFACT_PATH_ABSOLUTE",
          message: `Artifact path must be relative to the project: ${shown}`,
        },
      ];
    case "escapes":
      return [{ code: "ARTIFACT_PATH_ESCAPES", message: `Artifact path leads out of the project: ${shown}` }];
    case "malformed":
      return [invalidField(`artifacts[${index}].path`, "is not a usable path")];
  }
}

/** Only completed work must have its files: a partial return may name what it was about to write. */
function checkFile(path: string, rules: ArtifactRules): Problem[] {
  if (rules.probe === undefined || rules.status !== "completed" || judgeRelativePath(path) !== "inside")
    return [];
  switch (rules.probe(path)) {
    case "file":
      return [];
    case "missing":
      return [{ code: "ARTIFACT_MISSING", message: `Artifact does not exist: ${path.slice(0, 120)}` }];
    case "empty":
      return [{ code: "ARTIFACT_EMPTY", message: `Artifact is empty: ${path.slice(0, 120)}` }];
    case "escapes":
      return [
        {
          code: "ARTIFACT_PATH_ESCAPES",
          message: `Artifact is a link out of the project: ${path.slice(0, 120)}`,
        },
      ];
  }
}

/** Judges where a path from an agent leads, by its text alone. */
type PathVerdict = "inside" | "absolute" | "escapes" | "malformed";

/**
 * Separators of every system count, because a return may be read on a different system than it was written on.
 * `a/../b` stays inside; `a/../../b` does not.
 */
function judgeRelativePath(path: string): PathVerdict {
  if (path.includes("\0") || !path.isWellFormed()) return "malformed";
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return "absolute";
  let level = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "..") level -= 1;
    else if (segment !== "" && segment !== ".") level += 1;
    if (level < 0) return "escapes";
  }
  return level === 0 ? "malformed" : "inside";
}
