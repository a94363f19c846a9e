import { DelegationError } from "../../base/delegation-error.ts";
import type { RefChange } from "./ref-change.ts";
import { RefSession } from "./ref-session.ts";
import type { Repository } from "./repository.ts";

const sessions = new Map<string, RefSession>();

/** Asks the waiting git process of this repository; false if it refused, so the caller must find out why. */
export async function changeRefsBySession(
  repository: Repository,
  changes: readonly RefChange[],
): Promise<boolean> {
  try {
    await getRefSession(repository).changeRefs(changes);
    return true;
  } catch (error) {
    if (error instanceof DelegationError) return false;
    throw error;
  }
}

/** Starts the process before its first use. */
export function warmRefSession(repository: Repository): void {
  getRefSession(repository).warmUp();
}

function getRefSession(repository: Repository): RefSession {
  const found = sessions.get(repository.commonDirectory);
  if (found !== undefined) return found;
  const session = new RefSession(repository);
  sessions.set(repository.commonDirectory, session);
  return session;
}

/** Ends the process of a repository; the next change starts a new one. */
export function closeRefSession({ commonDirectory }: Repository): void {
  sessions.get(commonDirectory)?.close();
  sessions.delete(commonDirectory);
}
