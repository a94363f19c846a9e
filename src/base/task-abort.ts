import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The signal that ends everything one task has started. It travels with the task instead of through every function: an
 * import is dozens of calls deep, and one that forgot to pass it on would hold the whole runtime.
 */
const current = new AsyncLocalStorage<AbortSignal | undefined>();

/** Runs a task that the signal ends. Inside another such task, either signal ends it. */
export function runWithAbort<Result>(
  signal: AbortSignal | undefined,
  task: () => Promise<Result>,
): Promise<Result> {
  const outer = current.getStore();
  if (signal === undefined) return task();
  return current.run(outer === undefined ? signal : AbortSignal.any([outer, signal]), task);
}

/** Runs something that others wait for as well, or that is not awaited at all: it outlives the task that began it. */
export function runWithoutAbort<Result>(task: () => Promise<Result>): Promise<Result> {
  return current.run(undefined, task);
}

/** The signal of the task that runs now. */
export function getTaskAbort(): AbortSignal | undefined {
  return current.getStore();
}
