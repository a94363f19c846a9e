/** The work on each checkout, by its name, that continues after its caller. */
const pending = new Map<string, Promise<void>>();

/** Lets work on a checkout continue after its caller; it never fails. */
export function leavePending(name: string, work: Promise<void>): void {
  const left = work.finally(() => {
    if (pending.get(name) === left) pending.delete(name);
  });
  pending.set(name, left);
}

/** Resolves when no such work is left. Every use of a checkout's files or index waits for it. */
export async function waitForPending(name: string): Promise<void> {
  await pending.get(name);
}
