import type { CommandDefinition } from "../../agents/command-definitions.ts";
import type { StoryFlags } from "../../contract/config.ts";
import type { Limits } from "../../contract/limits.ts";
import type { StorySetting } from "../../contract/story-setting.ts";
import type { TaskStore } from "../../tasks/task-store.ts";
import type { CommittedPaths, CommitRequest } from "../../workspace/commit-paths.ts";
import type { FileReplacement } from "../../workspace/replace-file.ts";
import type { PartialSnapshot } from "../../workspace/snapshot-without.ts";

/** The project as workflow commands need it, in addition to what every story needs. */
export interface WorkflowTools {
  readonly projectRoot: string;
  /** Read each time, so that an edited file takes effect without a restart. */
  readonly settings: (flags?: StoryFlags) => Promise<WorkflowSettings>;
  /** The project's tasks, in this folder or in that of the settings; changes are journaled for this story. */
  readonly tasks: (story?: string, dir?: string) => Promise<TaskStore>;
  readonly readCommand: (name: string) => Promise<CommandDefinition | undefined>;
  readonly readFile: (commit: string, path: string) => Promise<Buffer | undefined>;
  /** The file as last committed on the branch that the person has checked out. */
  readonly readHeadFile: (path: string) => Promise<Buffer | undefined>;
  /** The tree of a commit, or another one, with one file replaced or, without content, removed. */
  readonly replaceFile: (replacement: FileReplacement) => Promise<string>;
  /** Commits exactly these files on the branch the person has checked out. */
  readonly commitPaths: (wish: CommitRequest) => Promise<CommittedPaths>;
  /** The person's present state, with these files as last committed. */
  readonly snapshotWithout: (id: string, paths: readonly string[]) => Promise<PartialSnapshot>;
}

export interface WorkflowSettings {
  readonly limits: Limits;
  /** Where the settings of delegation come from. */
  readonly origins: readonly StorySetting[];
  /** `tasks.dir` */
  readonly dir: string;
  /** `tasks.commit` */
  readonly commit: boolean;
}
