import type { CodeMeaning } from "./code-meaning.ts";

const LOOK = "ambit doctor names what is wrong, ambit doctor --fix puts away what can go.";

/** Repositories, branches, workspaces and sandboxes. */
export const workspaceMeanings = {
  UNBORN_HEAD: ["The repository has no commit yet.", "Make one: git add -A && git commit -m Start"],
  BARE_REPOSITORY: ["A bare repository has no files to start from.", "Run it from a checkout."],
  GIT_TOO_OLD: ["This git cannot merge without a checkout.", "Install git 2.38 or newer."],
  GIT_FAILED: [
    "A git command failed; the message has its last words.",
    "Run it by hand to see more; then ambit doctor.",
  ],
  REF_STORAGE_UNSUPPORTED: [
    "The repository keeps refs in a way that is not supported.",
    "Use the files format.",
  ],
  REF_CHANGE_REFUSED: [
    "Git refused to move a branch.",
    "Another process may hold it: try again, then ambit doctor.",
  ],
  BRANCH_EXISTS: ["A branch of that name is there already.", "Choose another --id, or rename the branch."],
  BRANCH_CHECKED_OUT: ["The branch is checked out somewhere.", "Switch that checkout to another branch."],
  BRANCH_NAME_TAKEN: [
    "A branch called ambit or delegation stands where ours must.",
    "Rename it with git branch -m.",
  ],
  UNRELATED_HISTORIES: [
    "The branch and the work have no commit in common.",
    "The branch was rewritten since the work began; start the story again from it.",
  ],
  INVALID_WORKSPACE_ID: ["An id cannot be a folder or branch name.", "Use letters, digits, -, _ and dots."],
  WORKSPACE_UNSUPPORTED: [
    "The repository uses something workspaces cannot have.",
    "The message says what to change.",
  ],
  WORKSPACE_EXISTS: ["The workspace is there already.", LOOK],
  WORKSPACE_NOT_MADE: [
    "The workspace could not be made ready.",
    "The message says why; check workspace.setup.",
  ],
  WORKSPACE_LOCK_BUSY: [
    "Another process holds git's list of worktrees for too long.",
    "Try again; then ambit doctor.",
  ],
  WORKSPACE_NOT_FOUND: ["There is no work or workspace of that id.", "See what there is with ambit tree."],
  WORKSPACE_NOT_OURS: ["The folder is not one that ambit made.", LOOK],
  WORKSPACE_RECORD_BROKEN: ["The record of a workspace cannot be read.", LOOK],
  WORKSPACE_GONE: ["The folder of a workspace is gone.", LOOK],
  WORKSPACE_TAMPERED: ["A workspace is no longer what was made there.", LOOK],
  DEPENDENCIES_NOT_COPIED: [
    "Dependency folders could not be brought along.",
    "Check the disk, or set workspace.setup.",
  ],
  MOUNT_FAILED: [
    "A folder could not be mounted into a workspace.",
    "It is copied instead where possible; ambit doctor.",
  ],
  NO_FREE_PORTS: ["All port blocks are in use.", "Free workspaces that are not needed: ambit clean."],
  SLOT_NOT_CLEAN: [
    "A prepared checkout could not be used again.",
    "Nothing needs to be done: another one is made.",
  ],
  WORK_NOT_IMPORTED: [
    "The work could not be taken over.",
    "It is still in its workspace; then ambit resume <id>.",
  ],
  WORK_NOT_REACHABLE: [
    "No branch of ours leads to some of the work.",
    "It is not deleted; look with ambit doctor.",
  ],
  WORK_NOT_SAVED: [
    "A workspace holds files that are not saved.",
    "It is not deleted; look with ambit doctor.",
  ],
  SANDBOX_UNAVAILABLE: [
    "This machine cannot make a sandbox.",
    "Install bubblewrap, or use isolation: worktree.",
  ],
  HAND_OVER_REFUSED: [
    "What a sandbox handed over was not taken.",
    "Its files are still there; then ambit resume <id>.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
