import { DelegationError } from "../../base/delegation-error.ts";
import type { RefChange } from "./ref-change.ts";
import { RefSession } from "./ref-session.ts";
import type { Repository } from "./repository.ts";

const sessions = new Map<string, RefSession>();

/** Asks the git that waits for ref changes of this repository; false where it refused, and why is for others to find out. */
export async function changeBySession(
  repository: Repository,
  changes: readonly RefChange[],
): Promise<boolean> {
  try {
    await sessionOf(repository).change(changes);
    return true;
  } catch (error) {
    if (error instanceof DelegationError) return false;
    throw error;
  }
}

/** Starts it ahead of its first use. */
export function warmSession(repository: Repository): void {
  sessionOf(repository).warmUp();
}

function sessionOf(repository: Repository): RefSession {
  const found = sessions.get(repository.commonDirectory);
  if (found !== undefined) return found;
  const session = new RefSession(repository);
  sessions.set(repository.commonDirectory, session);
  return session;
}

/** For whoever is done with a repository; the next change starts a new one. */
export function closeSession({ commonDirectory }: Repository): void {
  sessions.get(commonDirectory)?.close();
  sessions.delete(commonDirectory);
}
