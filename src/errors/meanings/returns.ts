import type { CodeMeaning } from "./code-meaning.ts";

const RETURN_ADVICE =
  "The agent gets two turns to repair it. Read the contract with ambit help contract, and its output with ambit logs <id>.";

/** Problems of a worker's return, and errors that agents report. */
export const returnMeanings = {
  NOT_JSON: ["The worker's return is not a JSON document.", RETURN_ADVICE],
  TRUNCATED: ["The return is cut off in the middle.", RETURN_ADVICE],
  NOT_AN_OBJECT: ["The return is JSON, but not an object.", RETURN_ADVICE],
  MISSING_FIELD: ["A field that the contract requires is missing; the code names it.", RETURN_ADVICE],
  INVALID_FIELD: ["A field has a value that the contract does not allow.", RETURN_ADVICE],
  DUPLICATE_KEY: ["An object in the return has the same key twice.", RETURN_ADVICE],
  INVALID_STATUS: ["The status must be completed, partial, failed or blocked.", RETURN_ADVICE],
  INTERRUPTED: [
    "The worker left only its early in_progress record: it started and never returned.",
    "Its work is kept; continue with ambit resume <id>.",
  ],
  SESSION_MISMATCH: ["The return has the session id of another delegation.", RETURN_ADVICE],
  SUMMARY_EMPTY: ["The summary is empty.", RETURN_ADVICE],
  SUMMARY_TOO_LONG: ["The summary has more than 500 characters.", RETURN_ADVICE],
  ERRORS_REQUIRED: [
    "A status other than completed needs at least one error that explains it.",
    RETURN_ADVICE,
  ],
  INVALID_ARTIFACT_TYPE: [
    "An artifact has an unknown type.",
    "Use a known type, or add it to verification.artifactTypes.",
  ],
  ARTIFACT_REQUIRED: ["Research and plans need at least one artifact.", RETURN_ADVICE],
  ARTIFACT_MISSING: ["The return names an artifact that does not exist.", RETURN_ADVICE],
  ARTIFACT_EMPTY: ["The return names an artifact that is an empty file.", RETURN_ADVICE],
  ARTIFACT_PATH_ABSOLUTE: ["An artifact has an absolute path.", RETURN_ADVICE],
  ARTIFACT_PATH_ESCAPES: ["An artifact's path leads out of the project.", RETURN_ADVICE],
  DEPTH_PATH_MISMATCH: ["The depth or path in the return does not match this delegation.", RETURN_ADVICE],
  TOO_LARGE: ["The return is larger than the limit.", RETURN_ADVICE],
  TOO_DEEP: ["The return is nested too deeply.", RETURN_ADVICE],
  VALIDATION_FAILED: [
    "The input does not have the required form; the message names the fields.",
    "Correct the fields and try again.",
  ],
  TOOL_UNAVAILABLE: [
    "A required program or adapter is missing.",
    "Install it or correct PATH; ambit doctor lists what this machine has.",
  ],
  BUILD_ERROR: [
    "The agent reported that the project does not build.",
    "Read ambit logs <id>, then run ambit resume <id>.",
  ],
  FILE_NOT_FOUND: [
    "The agent reported that a file is missing.",
    "Read ambit logs <id>, then run ambit resume <id>.",
  ],
  STATUS_SYNC_FAILED: ["The status of a task could not be written.", "Check the task files, then try again."],
  GIT_COMMIT_FAILED: ["A commit failed.", "Run ambit doctor; it names the problem with the repository."],
  SUBTASK_CREATION_FAILED: [
    "A task could not be divided; no subtask was created.",
    "Correct the problem that the message names.",
  ],
  UNKNOWN_ERROR: [
    "The agent reported an error without a code.",
    "Read ambit logs <id>, then run ambit resume <id>.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
