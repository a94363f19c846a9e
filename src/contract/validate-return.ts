import { dropUndefined } from "../base/json.ts";
import {
  agentReturnSchema,
  earlyStatus,
  deriveErrorCode,
  returnStatuses,
  successAliases,
  type AgentReturn,
  type ReturnStatus,
} from "./agent-return.ts";
import { checkArtifacts, type ArtifactProbe } from "./check-artifacts.ts";
import { checkMetadata, type ExpectedContext } from "./check-metadata.ts";
import { checkErrors, checkSummary } from "./check-return-text.ts";
import { readReturn, type ReadOptions } from "./read-return.ts";
import { withoutNulls, schemaProblems } from "./schema-problems.ts";
import { invalidField, missingField, ownField, type Fields, type Problem } from "./return-problem.ts";
import { reviewSchema, type ReviewVerdict } from "./review.ts";

export type { ArtifactProbe, ArtifactState } from "./check-artifacts.ts";

export interface ReturnExpectation extends ExpectedContext {
  /** The workflow command that asked; research and plan must leave an artifact. */
  readonly command?: string;
  /** The criteria that a reviewer was asked about. */
  readonly reviewed?: readonly string[];
  /** Looks at the file system or the imported tree; without it, files are not checked. */
  readonly probe?: ArtifactProbe;
  /** Artifact types that the project configures in addition to the known ones. */
  readonly artifactTypes?: readonly string[];
  /**
   * The worker's identity, as far as it is known without it. A return that ends the text need not repeat it; one that it
   * gives must be right.
   */
  readonly identity?: Readonly<Record<string, unknown>>;
}

export type ReturnVerdict =
  | {
      readonly valid: true;
      readonly codes: readonly string[];
      readonly value: AgentReturn;
      readonly warnings: readonly Problem[];
    }
  | {
      readonly valid: false;
      readonly codes: readonly string[];
      readonly problems: readonly Problem[];
      readonly warnings: readonly Problem[];
    };

/** Finds, parses and validates a return in raw bytes: the one validator behind CLI, MCP and the pipeline. */
export function validateReturnBytes(
  bytes: Uint8Array,
  expected: ReturnExpectation & ReadOptions = {},
): ReturnVerdict {
  const read = readReturn(bytes, expected);
  if (read.kind === "problem") return rejectReturn([{ code: read.code, message: read.message }], []);
  const { identity } = expected;
  const value = identity !== undefined && read.isAtEnd ? completeReturn(read.value, identity) : read.value;
  const verdict = validateReturn(value, expected);
  if (!read.encodingRepaired) return verdict;
  const warning = {
    code: "ENCODING_REPAIRED",
    message: "Return held bytes that are not UTF-8; they were replaced",
  };
  return { ...verdict, warnings: [...verdict.warnings, warning] };
}

/** Adds what a worker was not asked for. What it says itself stays as it is, so that it can be judged. */
function completeReturn(fields: Fields, identity: Readonly<Record<string, unknown>>): object {
  const errors = ownField(fields, "errors");
  const completed = Array.isArray(errors)
    ? {
        ...fields,
        errors: errors.map((error: unknown) => addGiven({ type: "execution", recoverable: false }, error)),
      }
    : fields;
  return { ...completed, metadata: addGiven(identity, ownField(fields, "metadata") ?? {}) };
}

function addGiven(defaults: Readonly<Record<string, unknown>>, given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const own = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries([...Object.entries(defaults), ...own]);
}

/** Validates a parsed return. All problems are reported, in the order of R52. */
export function validateReturn(value: unknown, expected: ReturnExpectation = {}): ReturnVerdict {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return rejectReturn([{ code: "NOT_AN_OBJECT", message: "Return must be JSON object" }], []);
  }
  const fields: Fields = value;
  const status = readStatus(ownField(fields, "status"));
  if (status === "interrupted") return rejectReturn([interrupted], []);

  const summary = checkSummary(fields);
  const metadata = checkMetadata(fields, expected);
  const errors = checkErrors(fields, status);
  const artifacts = checkArtifacts(fields, {
    ...expected,
    status,
    command: findCommand(fields, expected, metadata.path),
  });
  const review = checkReview(fields, status, expected.reviewed);
  const problems = [
    ...requiredFields(fields),
    ...(status === undefined ? statusProblem(fields) : []),
    ...metadata.problems,
    ...summary.problems,
    ...errors.problems,
    ...artifacts.problems,
    ...review.problems,
    ...poisonedKeys(fields),
  ];
  const warnings = [...summary.warnings, ...errors.warnings];
  if (problems.length > 0 || status === undefined) return rejectReturn(problems, warnings);
  return {
    valid: true,
    codes: [],
    warnings,
    value: { ...buildReturn(fields, status), ...dropUndefined({ review: review.verdicts }) },
  };
}

const interrupted: Problem = {
  code: "INTERRUPTED",
  message: "Only the early in_progress record is there: the worker began and did not finish",
};

function rejectReturn(problems: readonly Problem[], warnings: readonly Problem[]): ReturnVerdict {
  return { valid: false, codes: [...new Set(problems.map((problem) => problem.code))], problems, warnings };
}

function readStatus(value: unknown): ReturnStatus | "interrupted" | undefined {
  if (value === earlyStatus) return "interrupted";
  if (successAliases.some((alias) => alias === value)) return "completed";
  return returnStatuses.find((status) => status === value);
}

function statusProblem(fields: Fields): Problem[] {
  const value = ownField(fields, "status");
  if (value === undefined || value === null) return [];
  return [{ code: "INVALID_STATUS", message: `Invalid status: ${describeStatus(value)}` }];
}

function describeStatus(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? typeof value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const REQUIRED = ["status", "summary", "artifacts", "metadata"] as const;

function requiredFields(fields: Fields): Problem[] {
  return REQUIRED.filter((name) => (ownField(fields, name) ?? null) === null).map(missingField);
}

/** JSON.parse makes `__proto__` an own key; copying such an object would change its prototype. */
function poisonedKeys(fields: Fields): Problem[] {
  return isPoisoned(fields) ? [invalidField("__proto__", "is not allowed")] : [];
}

function isPoisoned(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(isPoisoned);
}

/** The command decides whether a file is required; without it, the return itself may tell. */
function findCommand(
  fields: Fields,
  expected: ReturnExpectation,
  path: readonly string[],
): string | undefined {
  if (expected.command !== undefined) return expected.command;
  const status = ownField(fields, "status");
  if (status === "researched") return "research";
  if (status === "planned") return "plan";
  return path[1];
}

/** Builds the stored form of a return that passed every check: known fields only, codes derived. */
function buildReturn(fields: Fields, status: ReturnStatus): AgentReturn {
  const parsed = agentReturnSchema.parse({
    status: ownField(fields, "status"),
    summary: ownField(fields, "summary"),
    artifacts: readItems(fields, "artifacts"),
    metadata: withoutNulls(ownField(fields, "metadata")),
    errors: readItems(fields, "errors"),
    next_steps: readText(ownField(fields, "next_steps")),
  });
  return {
    status,
    reported_status: parsed.status,
    summary: parsed.summary.trim(),
    artifacts: parsed.artifacts,
    metadata: parsed.metadata,
    errors: parsed.errors.map((error) => ({ ...error, code: deriveErrorCode(error) })),
    ...dropUndefined({ next_steps: parsed.next_steps }),
  };
}

function readItems(fields: Fields, name: string): readonly unknown[] {
  const items = ownField(fields, name);
  return Array.isArray(items) ? items.map(withoutNulls) : [];
}

/** A next step that is not text is dropped: it is advice, and not a reason to refuse good work. */
function readText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

interface CheckedReview {
  readonly verdicts: readonly ReviewVerdict[] | undefined;
  readonly problems: readonly Problem[];
}

/** A reviewer that is done says something about each criterion it was asked about. Others have no verdicts. */
function checkReview(
  fields: Fields,
  status: ReturnStatus | undefined,
  asked: readonly string[] | undefined,
): CheckedReview {
  if (asked === undefined || status !== "completed") return { verdicts: undefined, problems: [] };
  const value = ownField(fields, "review") ?? undefined;
  if (value === undefined) return { verdicts: undefined, problems: [missingField("review")] };
  const parsed = reviewSchema.safeParse(value);
  if (!parsed.success)
    return { verdicts: undefined, problems: schemaProblems(reviewSchema, value, "review") };
  const named = parsed.data.map(({ criterion }) => criterion);
  const left = asked.filter((id) => named.filter((one) => one === id).length !== 1);
  const problems = left.map((id) => invalidField("review", `needs exactly one verdict about ${id}`));
  return { verdicts: parsed.data.filter(({ criterion }) => asked.includes(criterion)), problems };
}
