import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The signal that ends all git commands of one task. It travels with the task instead of through every function: an
 * import is dozens of calls deep, and one that forgot to pass it on would hold the whole runtime.
 */
const current = new AsyncLocalStorage<AbortSignal>();

/** Runs a task whose git commands end when the signal does. Inside another such task, either signal ends them. */
export function withGitAbort<Result>(
  signal: AbortSignal | undefined,
  task: () => Promise<Result>,
): Promise<Result> {
  const outer = current.getStore();
  if (signal === undefined) return task();
  return current.run(outer === undefined ? signal : AbortSignal.any([outer, signal]), task);
}

/** The signal of the task that runs now. */
export function getGitAbort(): AbortSignal | undefined {
  return current.getStore();
}
