/** Work on a checkout that its caller does not wait for, by a name of the checkout. */
const pending = new Map<string, Promise<void>>();

/** Lets work on a checkout go on after its caller; it never fails. */
export function leavePending(name: string, work: Promise<void>): void {
  const left = work.finally(() => {
    if (pending.get(name) === left) pending.delete(name);
  });
  pending.set(name, left);
}

/** Resolves when no such work is left. Whatever uses the files or the index of a checkout waits for it. */
export async function waitForPending(name: string): Promise<void> {
  await pending.get(name);
}
