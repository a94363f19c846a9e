import { DelegationError } from "../base/delegation-error.ts";
import { supervisorErrors } from "../errors/supervisor.ts";
import { ensureSupervisor, type EnsureOptions } from "./ensure-supervisor.ts";

export interface ExternalManagerOptions extends EnsureOptions {
  /** The manager's program, as it calls itself. */
  readonly client: string;
  readonly title?: string;
  /** A story that it managed before; refused with PARENT_NOT_RUNNING if that story has ended. */
  readonly story?: string;
  /** The person trusts the items that the project names, or it names none. */
  readonly isProjectTrusted?: boolean;
}

/** A story whose manager is an agent that Ambit did not start. */
export interface ExternalManager {
  readonly story: string;
  /** For calls over `socket`, the workers' socket; invalid after this is closed. */
  readonly token: string;
  readonly socket: string;
  /** False once the story has ended or the supervisor is gone. */
  readonly isOpen: () => boolean;
  /** Whether the story itself has ended; its supervisor may be gone before that. */
  readonly hasEnded: () => boolean;
  /** Resolves when the story is no longer open for this manager. */
  readonly closed: Promise<void>;
  /** Leaves the story: it ends with its workers, unless the manager comes back soon. */
  readonly close: () => void;
}

/**
 * Opens a story for an agent in a person's own terminal, or returns to one, and starts the supervisor if none is
 * running. Refuses inside a worker, which already has a manager and limits.
 */
export async function openExternalManager(options: ExternalManagerOptions): Promise<ExternalManager> {
  if (options.environment["AMBIT_TOKEN"] !== undefined) throw supervisorErrors.managedByWorker();
  const { client: name, title, story: known, isProjectTrusted } = options;
  const client = await ensureSupervisor(options);
  try {
    const parameters = {
      client: name,
      ...(title === undefined ? {} : { title }),
      ...(known === undefined ? {} : { story: known }),
      ...(isProjectTrusted === undefined ? {} : { isProjectTrusted }),
    };
    const { story, token, socket } = await client.call("outside", parameters);
    let isOpen = true;
    let hasEnded = false;
    const ended = new Promise<void>((resolve) => {
      client.onNotice(({ notice, data }) => {
        if (notice !== "outside-ended" || data.story !== story) return;
        hasEnded = true;
        resolve();
      });
    });
    const waitForEnd = async (): Promise<void> => {
      await Promise.race([ended, client.closed]);
      isOpen = false;
      client.close();
    };
    const closed = waitForEnd();
    return {
      story,
      token,
      socket,
      isOpen: () => isOpen,
      hasEnded: () => hasEnded,
      closed,
      close: () => client.close(),
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Returns to a story after its supervisor died or exited; undefined if the story has ended meanwhile. */
export async function rejoinExternalManager(
  options: ExternalManagerOptions,
  story: string,
): Promise<ExternalManager | undefined> {
  try {
    return await openExternalManager({ ...options, story });
  } catch (error) {
    const isOver = error instanceof DelegationError && overCodes.has(error.code);
    if (!isOver) throw error;
    return undefined;
  }
}

const overCodes: ReadonlySet<string> = new Set(["PARENT_NOT_RUNNING", "STORY_NOT_FOUND"]);
