import type { CodeMeaning } from "./code-meaning.ts";

/** The store, the supervisor, proof and merging, and the command line. */
export const runtimeMeanings = {
  STORY_NOT_FOUND: ["No story or delegation has this id or prefix.", "List them with ambit status."],
  STORY_EXISTS: [
    "The id is taken, or the work it names has not ended.",
    "Choose another --id, or follow the running work with ambit attach <id>.",
  ],
  DELEGATION_NOT_FOUND: ["No delegation has this id.", "List them with ambit tree."],
  PARENT_NOT_RUNNING: [
    "A manager that is not running asked for a worker.",
    "Only a running manager can delegate.",
  ],
  STALE_ATTEMPT: [
    "A process tried to continue after its attempt was replaced.",
    "You need not do anything: the newer attempt counts.",
  ],
  CHAIN_BROKEN: [
    "The journal was changed after it was written.",
    "Copy .git/ambit, then restore it from a backup; ambit audit --verify names the event.",
  ],
  PROJECTION_DIFFERS: ["A table differs from the journal.", "Rebuild it: ambit audit --rebuild."],
  ILLEGAL_TRANSITION: [
    "A delegation was asked to change its state in a way that is not allowed.",
    "This is a defect: report it with the output of ambit audit.",
  ],
  STORE_TOO_NEW: ["A newer version of ambit wrote this store.", "Use that version or a later one."],
  STORE_UNUSABLE: [
    "The store cannot be opened.",
    "The message names the file; check its owner and the disk.",
  ],
  STORE_DAMAGED: [
    "The file in which Ambit keeps its journal is damaged.",
    "Run ambit doctor --repair: it keeps the damaged file and restores what can be read, or the newest backup.",
  ],
  STORE_DIVERGED: [
    "The journal on this machine is not the beginning of the cluster's journal.",
    "Run ambit cluster status; import an embedded journal with ambit cluster import, or check the address.",
  ],
  CLUSTER_ADDRESS_INVALID: [
    "The address of the cluster is missing or not one of PostgreSQL.",
    "Set AMBIT_CLUSTER_URL, or AMBIT_CLUSTER_URL_FILE to a file that holds it.",
  ],
  CLUSTER_UNREACHABLE: [
    "PostgreSQL, which holds the journal of this project, or Redis, which carries its offers, does not answer.",
    "Start it or check the address; nothing that was acknowledged is lost.",
  ],
  CLUSTER_FORBIDDEN: [
    "PostgreSQL refuses the login, or the user lacks a role.",
    "Let the owner of the database run: GRANT ambit_worker TO <user>.",
  ],
  CLUSTER_UNSUITABLE: [
    "PostgreSQL is too old, behind a transaction pooler, not UTF-8, or its clock is far from this machine's.",
    "Read the message; ambit cluster status shows what was found.",
  ],
  CLUSTER_NO_PROJECT: [
    "The database does not know this project.",
    "Check the address, then run ambit cluster init in the repository.",
  ],
  CLUSTER_RUNS_ELSEWHERE: [
    "Another machine runs the work of this project.",
    "Run the command there; if it is gone for good, take the work with ambit cluster init --take.",
  ],
  CLUSTER_NOT_EMPTY: [
    "A journal can be imported only into a project without events.",
    "Nothing was changed; compare both journals with ambit cluster status.",
  ],
  CLUSTER_HUB_UNREACHABLE: [
    "The git repository through which machines give each other code cannot be used.",
    "Check cluster.hub, and that git can push to it from this machine; work waits until it can.",
  ],
  CLUSTER_NAME_TAKEN: [
    "Two machines of a project cannot have the same name.",
    "Start ambit worker with another --name.",
  ],
  STORE_BUSY: [
    "Another process held the store for too long.",
    "Try again; ambit supervisor status shows what is running.",
  ],
  SQLITE_TOO_OLD: ["The SQLite library is older than the store requires.", "Reinstall ambit."],

  SUPERVISOR_RUNNING: [
    "Another supervisor owns this project.",
    "Use it: every ambit command in this project talks to it.",
  ],
  SUPERVISOR_GONE: [
    "The supervisor stopped or did not start.",
    "Run the command again: it starts a supervisor, which continues the interrupted work.",
  ],
  SUPERVISOR_VERSION: [
    "The running supervisor has a different version.",
    "Stop it with ambit supervisor stop; work is kept.",
  ],
  SUPERVISOR_STUCK: [
    "The supervisor runs but does not answer: it is suspended, or it hangs.",
    "End it with ambit supervisor stop --force; work is kept, and the next command continues.",
  ],
  ORPHANED: [
    "The supervisor died, or machines were lost, during several attempts of this work; the work is kept.",
    "Read ambit logs <id>, then run ambit resume <id>, perhaps with another --agent.",
  ],

  AGENT_NOT_FOUND: [
    "No agent with this name is defined.",
    "Define it in .ambit/agents/<name>.md, or name another agent.",
  ],
  CRITERION_FAILED: [
    "A required criterion was checked and is not met. The work stays on its branch.",
    "See which one with ambit verify <id>; continue with ambit resume <id>.",
  ],
  CRITERION_UNVERIFIED: [
    "A required criterion could not be checked, and there is no decision about it.",
    "See which one with ambit verify <id>; name a command that proves it, then run ambit resume <id>.",
  ],
  CRITERION_NOT_FOUND: [
    "The decision names a criterion that does not exist.",
    "List the criteria with ambit verify <id>.",
  ],
  CHECK_FAILED: ["A check ran and did not pass.", "Read its output with ambit verify <id>."],
  CHECK_STOPPED: [
    "A check was stopped on request, so its outcome is unknown.",
    "Run it again: ambit verify <id> --rerun.",
  ],
  CHECK_NOT_RUN: [
    "A check could not be run, so its outcome is unknown.",
    "Read why with ambit verify <id>, then run ambit verify <id> --rerun.",
  ],
  DECISION_BY_WORKER: [
    "A worker cannot decide about its own work.",
    "Its manager or a person has to decide: ambit inbox.",
  ],
  DECISION_WITHOUT_REASON: ["A decision needs a reason to count.", "Give the reason with --reason."],
  DECISION_NEEDS_PERSON: ["Only a person may waive this criterion.", "Decide it yourself: ambit inbox."],
  DECISION_AGAINST_CHECK: [
    "The decision contradicts the outcome of a check; the check counts.",
    "Correct the work, or have a person waive the criterion.",
  ],
  RATCHET_BROKEN: [
    "The work breaks a check that passed for earlier accepted work.",
    "See which one with ambit verify <id>; continue with ambit resume <id>.",
  ],
  MERGE_CONFLICT: [
    "The work conflicts with the branch, in the files named. Nothing is half-merged.",
    "Look at it with ambit diff <id>; then run ambit resume <id>, or resolve it by hand with git merge.",
  ],
  MERGE_REFUSED: [
    "The branch could not be moved, for example because it is checked out.",
    "Switch to another branch or correct the problem that the message names, then try again.",
  ],
  CHANGED_OUTSIDE: [
    "While a story's own agent worked without a sandbox, a branch, git's settings, your checkout or your home changed outside its workspace.",
    "If it was not you, undo it; --isolation sandbox keeps a worker inside its workspace.",
  ],
  HOST_NOT_ALLOWED: [
    "A sandboxed worker failed after it had tried to reach hosts other than its agent's provider, which a sandbox does not allow.",
    "If it needs them, name them in agents.addresses, or allow everything with --network.",
  ],
  SCOPE_VIOLATION: [
    "The work changed files outside its scope without approval.",
    "See which ones with ambit diff <id>; run it again with a wider --scope, or approve the change when asked.",
  ],
  SENSITIVE_PATHS: [
    "The work changed files that can run code or grant rights: hooks, CI, lockfiles, links, modes.",
    "Look at them with ambit diff <id>; approve them when asked: ambit inbox.",
  ],
  DEPENDENCY_FAILED: [
    "A delegation that this work depends on did not succeed.",
    "See why with ambit explain <id>, then run ambit retry <id>.",
  ],
  DEPENDENCY_UNKNOWN: [
    "The work depends on an id that does not exist.",
    "Name delegations of the same manager.",
  ],
  APPROVAL_REJECTED: [
    "A person rejected the request.",
    "Read the reason in ambit audit; change the task and start it again.",
  ],
  ANSWER_NEEDED: [
    "The story waits for a person's answer, and the command ran without a terminal or with --no-input.",
    "See the questions with ambit inbox, answer them, then follow the story with ambit attach <id>.",
  ],
  APPROVAL_EXPIRED: [
    "The request was not answered in time.",
    "Check ambit inbox more often, or start it again with ambit retry <id>.",
  ],
  APPROVAL_NOT_FOUND: [
    "There is no pending request with this name.",
    "List pending requests with ambit inbox.",
  ],
  NOT_A_WORKER: [
    "A command for agents inside a story was called outside of one.",
    "Start a story with ambit run.",
  ],
  NOT_A_PERSON: [
    "A worker tried something that only a person may do: answer, merge, start or resume.",
    "Workers ask with ambit ask and delegate with ambit delegate.",
  ],
  DISK_FULL: [
    "The disk is full.",
    "Free some space, for example with ambit clean. Paused work continues by itself; run ambit resume <id> for work that has ended.",
  ],
  FILE_NOT_ALLOWED: [
    "The system does not let this user read or write a file, or its file system is read-only.",
    "Correct the owner or the mode of the file that the message names, then try again.",
  ],

  USAGE: ["The command line is wrong; nothing was started.", "Add --help to the command to see its usage."],
  TEMPLATE_NOT_FOUND: ["There is no template with this name.", "List them with ambit template list."],
  TEMPLATE_INVALID: [
    "A template file is invalid.",
    "ambit template list names the problem; ambit template show feature prints a valid one.",
  ],
  TEMPLATE_EXISTS: ["A different template with this name already exists.", "Add --replace to overwrite it."],
  TEMPLATE_SOURCE_REFUSED: [
    "The source of the templates is unreachable, too large, or contains no template.",
    "Name a folder, a file or a git URL with templates you trust.",
  ],
  CONFIG_INVALID: ["A setting has an invalid value.", "ambit config check names every problem."],
  CONFIG_OUT_OF_RANGE: ["A setting is outside its range.", "ambit help limits shows the hard caps."],
  CONFIG_CONTRADICTION: [
    "Two settings contradict each other.",
    "ambit config list shows each setting with its origin.",
  ],
  UNKNOWN_CONFIG_KEY: ["There is no such setting.", "ambit config list shows all settings."],
  INPUT_UNREADABLE: ["A file or pipe could not be read.", "Name a readable file, or use - and pipe it in."],
  OUTPUT_UNWRITABLE: ["The output could not be written.", "Check the disk, or the program it is piped into."],
  TRACES_NOT_SENT: [
    "The collector in OTEL_EXPORTER_OTLP_ENDPOINT did not accept the traces.",
    "Check the address and its headers, then send them again; sending twice is safe.",
  ],
  STATE_NOT_OURS: [
    "The folder for Ambit's state was created by somebody else, was copied, or does not say where it was made.",
    "The message says why, and whether to put it aside or to continue it with ambit clean --foreign-state.",
  ],
  PROJECT_NOT_TRUSTED: [
    "The project names commands or settings that you have not allowed to run.",
    "Read them with ambit trust --show, then run ambit trust; in CI set AMBIT_TRUST=1.",
  ],
  NOT_A_REPOSITORY: [
    "This folder is not inside a git repository.",
    "Change to a repository, use -C <dir>, or run git init.",
  ],
  INTERNAL: [
    "A defect in Ambit, or an unexpected environment.",
    "Run the command again with -v and report the output.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
