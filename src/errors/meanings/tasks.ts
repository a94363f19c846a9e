import type { CodeMeaning } from "./code-meaning.ts";

/** Tasks of the task store, a manager's checklist, and messages. */
export const taskMeanings = {
  INVALID_RANGE: ["A range of task numbers is malformed.", "Write it as 343-345, 337."],
  INVALID_TASK_NUMBER: ["A task number must be a positive integer.", "Write it as 343."],
  NO_TASK_NUMBER: ["The task number is missing.", "Name the task, such as 343."],
  RANGE_TOO_LARGE: ["The range names too many tasks.", "Name fewer tasks."],
  UNKNOWN_MARKER: ["The text has no known status marker.", "Write one such as [PLANNED] or [COMPLETED]."],
  INVALID_SESSION_ID: ["The session id is malformed.", "Session ids look like sess_1766779200_a1b2c3."],
  NOT_AN_ARRAY: ["The value must be a list.", "Put the items into [ ]."],
  DUPLICATE_ID: ["Two items have the same id.", "Give each item its own id."],
  TASK_NOT_FOUND: [
    "No task has this number or id.",
    "List tasks with ambit task list, and archived ones with ambit task list --archived.",
  ],
  TASK_FILE_BROKEN: [
    "A file of the task store is malformed. Nothing was changed.",
    "Correct the place that the message names, or restore the file from git.",
  ],
  TASK_FILE_CONFLICT: [
    "A file of the task store contains merge conflict markers. Nothing was changed.",
    "Resolve the conflict in that file, then run the command again.",
  ],
  TASK_FILE_TOO_LARGE: [
    "A file of the task store is too large. Nothing was changed.",
    "Find out what has grown in it; restore it from git, or archive finished tasks.",
  ],
  TASK_STATUS_UNKNOWN: [
    "There is no such task status.",
    "Write one such as planned or completed; in TODO.md as [PLANNED] or [COMPLETED].",
  ],
  TASK_INVALID: ["A field of a task has an invalid value.", "Correct the field that the message names."],
  PLAN_EXISTS: [
    "The task already has a plan; planning it again would leave two first versions.",
    "Write a new version with ambit revise <task>, or carry it out with ambit implement <task>.",
  ],
  TASK_MOVE_REFUSED: [
    "A checklist item cannot go from its status to the requested one.",
    "pending goes to in_progress or delegated, in_progress to completed or delegated; completed is final.",
  ],
  TASK_NOT_VERIFIED: [
    "A checklist item cannot be completed while a criterion of its worker is failed or undecided.",
    "See which one with ambit verify <id>; delegate it again, or decide what no program can check.",
  ],
  TASK_ALREADY_DELEGATED: [
    "A worker already has this checklist item; an item has one delegation at a time.",
    "Wait for the worker, or recall the item by setting it to pending; for parallel work make two items.",
  ],
  RECIPIENT_NOT_FOUND: [
    "The recipient is neither the sender's manager nor one of its workers.",
    "Address the manager, a delegation_id, or the name of an agent that works for the sender.",
  ],
  MESSAGE_INVALID: [
    "A message is not one of the eight kinds, lacks a field, or is larger than 64 KiB.",
    "Correct the problem and send it again; nothing was sent.",
  ],
  MAILBOX_FULL: [
    "The recipient has too many unread messages.",
    "Wait until it has read them, or combine yours into one message.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
