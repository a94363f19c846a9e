import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { ensureSupervisor, type EnsureOptions } from "./ensure-supervisor.ts";

export interface OutsideOptions extends EnsureOptions {
  /** The program that leads, as it calls itself. */
  readonly client: string;
  readonly title?: string;
  /** One that was led before and is to be led on; refused with PARENT_NOT_RUNNING when it has ended meanwhile. */
  readonly story?: string;
}

/** A story led by an agent that was not started here. */
export interface OutsideManager {
  readonly story: string;
  /** For calls over `socket`, the workers' one; nobody's once this is closed. */
  readonly token: string;
  readonly socket: string;
  /** False once the story has ended or the supervisor is gone: then a new one is to be opened. */
  readonly isOpen: () => boolean;
  /** Resolves when it is no longer open, whoever ended it. */
  readonly closed: Promise<void>;
  /** Leaves the story: it ends with its workers, unless somebody leads it on soon. */
  readonly close: () => void;
}

const answerSchema = z.object({ story: z.string(), token: z.string(), socket: z.string() });
const endedSchema = z.object({ story: z.string() });

/**
 * Opens a story for an agent in somebody's own terminal, or joins it again, and starts the supervisor when none runs.
 * Refuses inside a worker, which has a manager and limits already.
 */
export async function openOutsideManager(options: OutsideOptions): Promise<OutsideManager> {
  if (options.environment["AMBIT_TOKEN"] !== undefined) throw isWorker();
  const { client: name, title, story: known } = options;
  const client = await ensureSupervisor(options);
  try {
    const parameters = {
      client: name,
      ...(title === undefined ? {} : { title }),
      ...(known === undefined ? {} : { story: known }),
    };
    const { story, token, socket } = answerSchema.parse(await client.call("outside", parameters));
    let isOpen = true;
    const ended = new Promise<void>((resolve) => {
      client.onNotice((notice, data) => {
        if (notice === "outside-ended" && endedSchema.safeParse(data).data?.story === story) resolve();
      });
    });
    const waitForEnd = async (): Promise<void> => {
      await Promise.race([ended, client.closed]);
      isOpen = false;
      client.close();
    };
    const closed = waitForEnd();
    return { story, token, socket, isOpen: () => isOpen, closed, close: () => client.close() };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** Leads a story on after its supervisor died or left; a new one where it has ended meanwhile. */
export async function reopenOutsideManager(options: OutsideOptions, story: string): Promise<OutsideManager> {
  try {
    return await openOutsideManager({ ...options, story });
  } catch (error) {
    const isOver = error instanceof DelegationError && overCodes.has(error.code);
    if (!isOver) throw error;
    return openOutsideManager(options);
  }
}

const overCodes: ReadonlySet<string> = new Set(["PARENT_NOT_RUNNING", "STORY_NOT_FOUND"]);

function isWorker(): DelegationError {
  return new DelegationError({
    code: "NOT_A_PERSON",
    message: "A worker leads no story from outside: AMBIT_TOKEN says that this is one.",
    recommendation: "Delegate with the token it has.",
  });
}
