import { agentMetadataSchema, operationFields, operationMetadataSchema } from "./agent-return.ts";
import { invalidField, ownField, type Fields, type Problem } from "./return-problem.ts";
import { schemaProblems } from "./schema-problems.ts";

/** The context that the runtime gave the worker and expects to see again. */
export interface ExpectedContext {
  readonly session?: string;
  readonly depth?: number;
  readonly path?: readonly string[];
}

export interface MetadataVerdict {
  readonly problems: readonly Problem[];
  readonly path: readonly string[];
}

export function checkMetadata(fields: Fields, expected: ExpectedContext): MetadataVerdict {
  const metadata = ownField(fields, "metadata");
  if (metadata === undefined || metadata === null) return { problems: [], path: [] };
  if (typeof metadata !== "object" || Array.isArray(metadata)) {
    return { problems: [invalidField("metadata", "expected an object")], path: [] };
  }
  const path = readPath(ownField(metadata, "delegation_path"));
  const schema = isOperation(metadata) ? operationMetadataSchema : agentMetadataSchema;
  const problems = [
    ...schemaProblems(schema, metadata).filter((problem) => !isSessionFormat(problem, expected)),
    ...checkSession(metadata, expected),
    ...checkDepth(metadata, { path, expected }),
  ];
  return { problems, path };
}

/** Bulk task operations carry their counts instead of an agent's identity (C10). */
function isOperation(metadata: Fields): boolean {
  return (
    !Object.hasOwn(metadata, "agent_type") &&
    Object.keys(operationFields).some((name) => Object.hasOwn(metadata, name))
  );
}

/** Where the session can be compared, its format is not a second problem. */
function isSessionFormat(problem: Problem, expected: ExpectedContext): boolean {
  return expected.session !== undefined && problem.code === "INVALID_FIELD:session_id";
}

function checkSession(metadata: Fields, expected: ExpectedContext): Problem[] {
  const actual = ownField(metadata, "session_id");
  if (expected.session === undefined || actual === undefined || actual === null) return [];
  if (actual === expected.session) return [];
  const shown = typeof actual === "string" ? actual.slice(0, 60) : typeof actual;
  return [{ code: "SESSION_MISMATCH", message: `Session ID mismatch: ${shown} != ${expected.session}` }];
}

function readPath(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

/** Root and command are not counted, so depth is the path's length minus two (C3). */
function checkDepth(
  metadata: Fields,
  known: { path: readonly string[]; expected: ExpectedContext },
): Problem[] {
  const depth = ownField(metadata, "delegation_depth");
  const { path, expected } = known;
  if (typeof depth !== "number" || path.length === 0) return [];
  if (depth !== path.length - 2) {
    return [
      reportMismatch(`depth ${depth} does not fit the path ${path.join(" → ")} (depth ${path.length - 2})`),
    ];
  }
  if (expected.depth !== undefined && depth !== expected.depth) {
    return [reportMismatch(`depth ${depth} was reported, ${expected.depth} was assigned`)];
  }
  if (expected.path !== undefined && path.join("\n") !== expected.path.join("\n")) {
    return [
      reportMismatch(`path ${path.join(" → ")} was reported, ${expected.path.join(" → ")} was assigned`),
    ];
  }
  return [];
}

function reportMismatch(detail: string): Problem {
  return { code: "DEPTH_PATH_MISMATCH", message: `Delegation depth and path disagree: ${detail}` };
}
