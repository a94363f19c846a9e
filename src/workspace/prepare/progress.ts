/** The current step, reported when creating a workspace takes long. */
export interface WorkspaceProgress {
  readonly stage: "registering" | "checking-out" | "bringing-files" | "bringing-dependencies" | "setting-up";
  readonly elapsedMs: number;
}

export type OnWorkspaceProgress = (progress: WorkspaceProgress) => void;

const STEP_MS = 1000;

/** Reports the current step once a second, starting after the first second. */
export async function withProgress<Result>(
  stage: WorkspaceProgress["stage"],
  report: OnWorkspaceProgress | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  if (report === undefined) return work();
  const start = performance.now();
  const timer = setInterval(
    () => report({ stage, elapsedMs: Math.round(performance.now() - start) }),
    STEP_MS,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
