import type { CodeMeaning } from "./code-meaning.ts";

const DOCTOR_ADVICE =
  "ambit doctor names the problem, and ambit doctor --fix removes what is safe to remove.";

/** Repositories, branches, workspaces and sandboxes. */
export const workspaceMeanings = {
  UNBORN_HEAD: ["The repository has no commit yet.", "Make one: git add -A && git commit -m Start"],
  BARE_REPOSITORY: ["A bare repository has no files to start from.", "Run the command in a checkout."],
  NODE_TOO_OLD: ["Node is older than 20.19.", "Install Node 20.19 or newer, then run the command again."],
  GIT_TOO_OLD: ["This version of git cannot merge without a checkout.", "Install git 2.38 or newer."],
  GIT_FAILED: [
    "A git command failed; the message includes its last output.",
    "Run it by hand to see more, then run ambit doctor.",
  ],
  REF_STORAGE_UNSUPPORTED: [
    "The repository stores its refs in an unsupported format.",
    "Convert it to the files format.",
  ],
  REF_CHANGE_REFUSED: [
    "Git refused to move a branch.",
    "Another process may hold it: try again, then run ambit doctor.",
  ],
  BRANCH_EXISTS: ["A branch with this name already exists.", "Choose another --id, or rename the branch."],
  BRANCH_CHECKED_OUT: ["The branch is checked out somewhere.", "Switch that checkout to another branch."],
  BRANCH_NAME_TAKEN: [
    "A branch named ambit or delegation blocks Ambit's own branches.",
    "Rename it with git branch -m.",
  ],
  UNRELATED_HISTORIES: [
    "The branch and the work have no commit in common.",
    "The branch was rewritten after the work started; start the story again from it.",
  ],
  INVALID_WORKSPACE_ID: [
    "The id cannot be used as a folder or branch name.",
    "Use letters, digits, -, _ and dots.",
  ],
  WORKSPACE_UNSUPPORTED: [
    "The repository uses a feature that workspaces do not support.",
    "The message says what to change.",
  ],
  WORKSPACE_EXISTS: ["The workspace already exists.", DOCTOR_ADVICE],
  WORKSPACE_NOT_MADE: [
    "The workspace could not be prepared.",
    "The message says why; check workspace.setup.",
  ],
  WORKSPACE_LOCK_BUSY: [
    "Another process holds git's list of worktrees for too long.",
    "Try again, then run ambit doctor.",
  ],
  WORKSPACE_NOT_FOUND: ["There is no work or workspace with this id.", "List them with ambit tree."],
  WORKSPACE_NOT_OURS: ["Ambit did not create this folder.", DOCTOR_ADVICE],
  WORKSPACE_RECORD_BROKEN: ["The record of a workspace cannot be read.", DOCTOR_ADVICE],
  WORKSPACE_GONE: ["The folder of a workspace no longer exists.", DOCTOR_ADVICE],
  WORKSPACE_TAMPERED: ["A workspace was changed in a way that Ambit does not trust.", DOCTOR_ADVICE],
  DEPENDENCIES_NOT_COPIED: [
    "Dependency folders could not be copied into the workspace.",
    "Check the disk, or set workspace.setup.",
  ],
  MOUNT_FAILED: [
    "A folder could not be mounted into a workspace.",
    "Ambit copies it instead where possible; run ambit doctor for details.",
  ],
  NO_FREE_PORTS: ["All port blocks are in use.", "Remove workspaces you no longer need with ambit clean."],
  SLOT_NOT_CLEAN: [
    "A prepared checkout could not be used again.",
    "You need not do anything: Ambit makes another one.",
  ],
  WORK_NOT_IMPORTED: [
    "The work could not be imported.",
    "It is still in its workspace; run ambit resume <id>.",
  ],
  WORK_NOT_REACHABLE: [
    "None of Ambit's branches contains part of the work.",
    "It is not deleted; find it with ambit doctor.",
  ],
  WORK_NOT_SAVED: [
    "A workspace contains files that are not saved.",
    "It is not deleted; find it with ambit doctor.",
  ],
  SANDBOX_UNAVAILABLE: [
    "This machine cannot create a sandbox.",
    "Install bubblewrap, or use isolation: worktree.",
  ],
  HAND_OVER_REFUSED: [
    "The work that a sandbox handed over was refused.",
    "Its files still exist; run ambit resume <id>.",
  ],
} as const satisfies Readonly<Record<string, CodeMeaning>>;
