import type { CodeMeaning } from "./code-meaning.ts";

const RETURN_ADVICE =
  "The agent gets two turns to repair it; see the contract with ambit help contract, what it wrote with ambit logs <id>.";

/** What can be wrong with a worker's return, and what agents report. */
export const returnMeanings = {
  NOT_JSON: ["The worker left no JSON document as its return.", RETURN_ADVICE],
  TRUNCATED: ["The return breaks off in the middle.", RETURN_ADVICE],
  NOT_AN_OBJECT: ["The return is JSON, but no object.", RETURN_ADVICE],
  MISSING_FIELD: ["A field the contract requires is missing; the code names it.", RETURN_ADVICE],
  INVALID_FIELD: ["A field has a value the contract does not allow.", RETURN_ADVICE],
  DUPLICATE_KEY: ["The same key stands twice in the return.", RETURN_ADVICE],
  INVALID_STATUS: ["The status is none of completed, partial, failed and blocked.", RETURN_ADVICE],
  INTERRUPTED: [
    "Only the early in_progress record is there: the worker began and never returned.",
    "Its work is kept; go on with ambit resume <id>.",
  ],
  SESSION_MISMATCH: ["The return carries the session id of other work.", RETURN_ADVICE],
  SUMMARY_EMPTY: ["The summary is empty.", RETURN_ADVICE],
  SUMMARY_TOO_LONG: ["The summary has more than 500 characters.", RETURN_ADVICE],
  ERRORS_REQUIRED: ["A status other than completed came without errors that say why.", RETURN_ADVICE],
  INVALID_ARTIFACT_TYPE: [
    "An artifact has a type nobody knows.",
    "Use a known type, or add it to verification.artifactTypes.",
  ],
  ARTIFACT_REQUIRED: ["Research and plans need at least one artifact.", RETURN_ADVICE],
  ARTIFACT_MISSING: ["An artifact that was named is not in the work.", RETURN_ADVICE],
  ARTIFACT_EMPTY: ["An artifact that was named is an empty file.", RETURN_ADVICE],
  ARTIFACT_PATH_ABSOLUTE: ["An artifact has an absolute path.", RETURN_ADVICE],
  ARTIFACT_PATH_ESCAPES: ["An artifact's path leads out of the project.", RETURN_ADVICE],
  DEPTH_PATH_MISMATCH: ["Depth or path in the return are not those of this delegation.", RETURN_ADVICE],
  TOO_LARGE: ["The return is larger than can be read.", RETURN_ADVICE],
  TOO_DEEP: ["The return is nested deeper than can be read.", RETURN_ADVICE],
  VALIDATION_FAILED: [
    "Something did not have the form it must have; the message names the fields.",
    "Correct them and try again.",
  ],
  TOOL_UNAVAILABLE: [
    "A program or adapter that is needed is not there.",
    "Install it or correct PATH; ambit doctor says what this machine has.",
  ],
  BUILD_ERROR: [
    "The agent reported that the project does not build.",
    "See ambit logs <id>, then ambit resume <id>.",
  ],
  FILE_NOT_FOUND: [
    "The agent reported a file that is not there.",
    "See ambit logs <id>, then ambit resume <id>.",
  ],
  STATUS_SYNC_FAILED: ["The state of a task could not be written.", "Check the task files, then try again."],
  GIT_COMMIT_FAILED: [
    "A commit could not be made.",
    "Run ambit doctor; it names what is wrong with the repository.",
  ],
  SUBTASK_CREATION_FAILED: [
    "A task could not be divided; nothing was created.",
    "Correct what the message names.",
  ],
  UNKNOWN_ERROR: [
    "An agent reported an error without a code.",
    "See ambit logs <id>, then ambit resume <id>.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
