import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../base/clock.ts";
import { tasksStory } from "../contract/tasks-story.ts";
import { openProjectStore } from "../journal/open-project-store.ts";
import { storeFile } from "../journal/store-file.ts";
import type { Store } from "../journal/store.ts";
import { getStateDirectory, openOwnState } from "../project/state-directory.ts";
import type { TaskChange } from "../tasks/task.ts";
import { openTaskStore, type GitDates, type TaskJournal, type TaskStore } from "../tasks/task-store.ts";
import { readLineDates } from "../workspace/git-dates.ts";
import { openRepository, type GitHost, type Repository } from "../workspace/repository.ts";

export interface ProjectTasksOptions {
  readonly projectRoot: string;
  /** `tasks.dir`. */
  readonly dir: string;
  readonly host: GitHost;
  /** Names the cluster, for a caller that changes a project in one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The journal, if the caller holds it open; else each operation that changes something opens it. */
  readonly store?: Pick<Store, "record">;
  /** The story for which tasks are changed. */
  readonly story?: string;
}

/** The task store of a project, with its journal and its git. */
export function openProjectTasks(options: ProjectTasksOptions): TaskStore {
  const { projectRoot, dir, host } = options;
  const stateDirectory = getStateDirectory(projectRoot);
  openOwnState(projectRoot);
  return openTaskStore({
    projectRoot,
    dir,
    stateDirectory,
    clock: systemClock,
    journal: createTaskJournal(options),
    gitDates: createGitDates({ projectRoot, stateDirectory, host }),
  });
}

function createTaskJournal(options: ProjectTasksOptions): TaskJournal {
  const { projectRoot, environment = {}, store, story = tasksStory } = options;
  return async (changes, changeId) => {
    if (changes.length === 0) return;
    if (store !== undefined) return recordChanges(store, { changes, changeId, story });
    const own = await openProjectStore(storeFile(projectRoot), environment);
    try {
      await recordChanges(own, { changes, changeId, story });
    } finally {
      await own.close();
    }
  };
}

interface Recording {
  readonly changes: readonly TaskChange[];
  readonly changeId: string;
  readonly story: string;
}

/** All at once, so that the store writes them in one transaction; it skips changes that it knows already. */
async function recordChanges(
  store: Pick<Store, "record">,
  { changes, changeId, story }: Recording,
): Promise<void> {
  const events = changes.map(({ taskId, kind, source, fields }, index) =>
    store.record({
      type: "task-changed",
      story,
      delegation: null,
      attempt: 0,
      data: { taskId, changeId: `${changeId}/${index}`, kind, source, fields: { ...fields } },
    }),
  );
  await Promise.all(events);
}

interface DatesPlace {
  readonly projectRoot: string;
  readonly stateDirectory: string;
  readonly host: GitHost;
}

/** The files are in the project's own checkout, whichever worktree asks for them. */
function createGitDates({ projectRoot, stateDirectory, host }: DatesPlace): GitDates {
  let repository: Promise<Repository> | undefined;
  return async (path, lines) => {
    repository ??= openRepository(projectRoot, host);
    const text = readFileSync(join(projectRoot, path), "utf8");
    const dates = await readLineDates({ repository: await repository, stateDirectory, path, text });
    return new Map(
      lines.flatMap((line) => {
        const date = dates[line - 1] ?? null;
        return date === null ? [] : [[line, date] as const];
      }),
    );
  };
}
