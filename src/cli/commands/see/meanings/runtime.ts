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
  CONFIG_INVALID: ["A setting has a value it cannot have.", "ambit config check names every problem."],
  CONFIG_OUT_OF_RANGE: ["A setting is beyond what is allowed.", "ambit help limits shows the hard caps."],
  CONFIG_CONTRADICTION: [
    "Two settings cannot hold together.",
    "ambit config list shows each with its origin.",
  ],
  UNKNOWN_CONFIG_KEY: ["There is no such setting.", "ambit config list shows all of them."],
  INPUT_UNREADABLE: ["A file or pipe could not be read.", "Name a readable file, or use - and pipe it in."],
  OUTPUT_UNWRITABLE: ["The answer could not be written.", "Check the disk or the program it is piped into."],
  NOT_A_REPOSITORY: ["This folder is in no git repository.", "Change to one, use -C <dir>, or run git init."],
  INTERNAL: [
    "A defect, or an environment nobody expected.",
    "Run it again with -v and report what it prints.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
