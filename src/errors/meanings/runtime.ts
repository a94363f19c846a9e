import type { CodeMeaning } from "./code-meaning.ts";

/** The store, the supervisor, proof and merging, tasks, the command line. */
export const runtimeMeanings = {
  INVALID_RANGE: ["A range of task numbers is malformed.", "Write it as 343-345, 337."],
  INVALID_TASK_NUMBER: ["A task number is no whole number above 0.", "Write it as 343."],
  NO_TASK_NUMBER: ["A task number was expected and none was given.", "Name the task, such as 343."],
  RANGE_TOO_LARGE: ["A range names more tasks than can be meant.", "Name fewer tasks."],
  UNKNOWN_MARKER: ["A text carries no known status marker.", "Write one such as [PLANNED] or [COMPLETED]."],
  INVALID_SESSION_ID: ["A session id is malformed.", "They look like sess_1766779200_a1b2c3."],
  NOT_AN_ARRAY: ["A list was expected.", "Put the items into [ ]."],
  DUPLICATE_ID: ["Two items have the same id.", "Give each its own."],
  TASK_NOT_FOUND: [
    "No task has the number or id that was named.",
    "ambit task list shows the tasks; ambit task list --archived those in the archive.",
  ],
  TASK_FILE_BROKEN: [
    "A file of the task store cannot be read as what it should be. Nothing was changed.",
    "Correct the place the message names, or restore the file from git.",
  ],
  TASK_FILE_CONFLICT: [
    "A file of the task store holds the conflict markers of a merge. Nothing was changed.",
    "Resolve the conflict in that file, then run the command again.",
  ],
  TASK_FILE_TOO_LARGE: [
    "A file of the task store is larger than any task list. Nothing was changed.",
    "See what has grown in it; restore it from git, or archive what is finished.",
  ],
  TASK_STATUS_UNKNOWN: [
    "A status is none that tasks can have.",
    "Write one such as planned or completed; in TODO.md as [PLANNED] or [COMPLETED].",
  ],
  TASK_INVALID: [
    "A field of a task has a value it cannot have.",
    "Correct the field that the message names.",
  ],
  PLAN_EXISTS: [
    "The task has a plan already; planning again would leave two first versions.",
    "Write a new version with ambit revise <task>, or carry it out with ambit implement <task>.",
  ],
  TASK_MOVE_REFUSED: [
    "A task of a manager's list cannot go from its status to the one asked for.",
    "pending goes to in_progress or delegated, in_progress to completed or delegated; completed stays.",
  ],
  TASK_NOT_VERIFIED: [
    "A task was to be completed while a criterion of its worker is red or undecided.",
    "See which and why with ambit verify <id>; hand it out again, or decide what no program can.",
  ],
  TASK_ALREADY_DELEGATED: [
    "The task is with a worker already; a task has one delegation at a time.",
    "Wait for it, or recall it by setting the task to pending; for work side by side make two tasks.",
  ],
  RECIPIENT_NOT_FOUND: [
    "A message was addressed to somebody who is neither the sender's manager nor one of its workers.",
    "Write to manager, to a delegation_id, or to the name of an agent that works for the sender.",
  ],
  MESSAGE_INVALID: [
    "A message is not one of the eight kinds, lacks a field, or is larger than 64 KiB.",
    "Correct what is named and send it again; nothing was sent.",
  ],
  MAILBOX_FULL: [
    "The recipient has not read what was sent to it, and there is no room for more.",
    "Wait until it has read, or put what is to be said into one message.",
  ],

  STORY_NOT_FOUND: [
    "No story or delegation here has this id or begins with it.",
    "See what there is: ambit status.",
  ],
  STORY_EXISTS: [
    "The id is taken, or the work it names has not ended.",
    "Choose another --id; for work that has not ended: ambit attach <id>.",
  ],
  DELEGATION_NOT_FOUND: ["There is no delegation with this id.", "See what there is: ambit tree."],
  PARENT_NOT_RUNNING: [
    "A manager that is not running asked for a worker.",
    "Only running managers can delegate.",
  ],
  STALE_ATTEMPT: [
    "A process whose attempt was replaced tried to go on.",
    "Nothing needs to be done: the newer attempt counts.",
  ],
  CHAIN_BROKEN: [
    "The journal was changed after it was written.",
    "Keep a copy of .ambit/state and restore it from a backup; ambit audit --verify names the event.",
  ],
  PROJECTION_DIFFERS: ["A table differs from what the journal says.", "Rebuild it: ambit audit --rebuild."],
  ILLEGAL_TRANSITION: [
    "Something tried to change a state in a way that is not allowed.",
    "Report it with ambit audit.",
  ],
  STORE_TOO_NEW: ["A newer version of ambit wrote this store.", "Use that version or a later one."],
  STORE_UNUSABLE: [
    "The store cannot be opened.",
    "The message names the file; check its owner and the disk.",
  ],
  STORE_BUSY: [
    "Another process held the store for too long.",
    "Try again; ambit supervisor status shows who works.",
  ],
  SQLITE_TOO_OLD: ["The SQLite library is older than the store needs.", "Install ambit again."],

  SUPERVISOR_RUNNING: [
    "Another process owns this project's work.",
    "Use it: every ambit command here talks to it.",
  ],
  SUPERVISOR_GONE: [
    "The process that owns the work went away or did not start.",
    "Run the command again: it starts one, which takes up where the old one was.",
  ],
  SUPERVISOR_VERSION: [
    "The running supervisor is another version.",
    "Stop it: ambit supervisor stop. Work is kept.",
  ],
  ORPHANED: [
    "The runtime died during several of its attempts; its work is kept.",
    "See ambit logs <id>; then ambit resume <id>, perhaps with another --agent.",
  ],

  AGENT_NOT_FOUND: [
    "Nobody with this name is described.",
    "Describe it in .ambit/agents/<name>.md, or name another.",
  ],
  CRITERION_FAILED: [
    "A required criterion was checked and is not met. The work stays on its branch.",
    "See which with ambit verify <id>; go on with ambit resume <id>.",
  ],
  CRITERION_UNVERIFIED: [
    "A required criterion could not be checked and nobody decided about it.",
    "See which with ambit verify <id>; name a command that proves it, then ambit resume <id>.",
  ],
  CRITERION_NOT_FOUND: [
    "A decision names a criterion that does not exist.",
    "See them all with ambit verify <id>.",
  ],
  CHECK_FAILED: ["A check ran and did not pass.", "See what it wrote with ambit verify <id>."],
  CHECK_STOPPED: [
    "A check was ended on request, so nothing is known.",
    "Run it again: ambit verify <id> --rerun.",
  ],
  CHECK_NOT_RUN: [
    "A check could not be run, so nothing is known.",
    "Its evidence says why: ambit verify <id>; then ambit verify <id> --rerun.",
  ],
  DECISION_BY_WORKER: [
    "The worker that did the work decided about it; that does not count.",
    "Its manager or a person has to decide: ambit inbox.",
  ],
  DECISION_WITHOUT_REASON: ["A decision came without a reason and does not count.", "Say why with --reason."],
  DECISION_NEEDS_PERSON: ["Only a person may waive this.", "Decide it yourself: ambit inbox."],
  DECISION_AGAINST_CHECK: [
    "A decision says the opposite of what a check found; the check counts.",
    "Correct the work, or have a person waive the criterion.",
  ],
  RATCHET_BROKEN: [
    "The work breaks a check that earlier accepted work must keep green.",
    "See which with ambit verify <id>; go on with ambit resume <id>.",
  ],
  MERGE_CONFLICT: [
    "The work contradicts what is already there, in the files named. Nothing is half-merged.",
    "Look with ambit diff <id>; then ambit resume <id>, or resolve it by hand with git merge.",
  ],
  MERGE_REFUSED: [
    "The branch could not be moved, for example because it is checked out.",
    "Switch to another branch or correct what the message names, then try again.",
  ],
  SCOPE_VIOLATION: [
    "Files outside the agreed scope were changed, and nobody approved that.",
    "See which with ambit diff <id>; run it again with a wider --scope, or approve next time.",
  ],
  SENSITIVE_PATHS: [
    "Files were changed that can run code or decide who may: hooks, CI, lockfiles, links, modes.",
    "Look at them with ambit diff <id>; approve them when asked: ambit inbox.",
  ],
  DEPENDENCY_FAILED: [
    "What it waited for did not succeed.",
    "See that with ambit explain <id>, then ambit retry <id>.",
  ],
  DEPENDENCY_UNKNOWN: ["It waits for an id that does not exist.", "Name delegations of the same manager."],
  APPROVAL_REJECTED: [
    "A person said no.",
    "The reason is in ambit audit; change the task and start it again.",
  ],
  APPROVAL_EXPIRED: [
    "Nobody answered in time.",
    "See ambit inbox more often, or start it again: ambit retry <id>.",
  ],
  APPROVAL_NOT_FOUND: ["No open question has this name.", "See what waits for you: ambit inbox."],
  NOT_A_WORKER: [
    "A command for agents inside a story was called outside of one.",
    "Start a story: ambit run.",
  ],
  NOT_A_PERSON: [
    "A worker tried what only a person may: answer, merge, start or resume.",
    "Workers ask with ambit ask and hand work out with ambit delegate.",
  ],
  DISK_FULL: [
    "There is no room left on the disk.",
    "Make room, for example with ambit clean, then ambit resume <id>.",
  ],

  USAGE: ["The command line is not right; nothing was started.", "Add --help to the command to see how."],
  TEMPLATE_NOT_FOUND: ["There is no template of this name.", "See what there is: ambit template list."],
  TEMPLATE_INVALID: [
    "A template's file says something that cannot be used.",
    "ambit template list names the problem; ambit template show feature shows a good one.",
  ],
  TEMPLATE_EXISTS: [
    "A template of this name is there already and differs.",
    "Add --replace to take the new one.",
  ],
  TEMPLATE_SOURCE_REFUSED: [
    "Templates were not taken from there: unreachable, too large, or no template in it.",
    "Name a folder, a file or a git URL with templates you trust.",
  ],
  CONFIG_INVALID: ["A setting has a value it cannot have.", "ambit config check names every problem."],
  CONFIG_OUT_OF_RANGE: ["A setting is beyond what is allowed.", "ambit help limits shows the hard caps."],
  CONFIG_CONTRADICTION: [
    "Two settings cannot hold together.",
    "ambit config list shows each with its origin.",
  ],
  UNKNOWN_CONFIG_KEY: ["There is no such setting.", "ambit config list shows all of them."],
  INPUT_UNREADABLE: ["A file or pipe could not be read.", "Name a readable file, or use - and pipe it in."],
  OUTPUT_UNWRITABLE: ["The answer could not be written.", "Check the disk or the program it is piped into."],
  TRACES_NOT_SENT: [
    "The collector that OTEL_EXPORTER_OTLP_ENDPOINT names did not take the traces.",
    "Check the address and its headers, then send them again; sending twice does no harm.",
  ],
  NOT_A_REPOSITORY: ["This folder is in no git repository.", "Change to one, use -C <dir>, or run git init."],
  INTERNAL: [
    "A defect, or an environment nobody expected.",
    "Run it again with -v and report what it prints.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
