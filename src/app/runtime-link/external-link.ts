import { DelegationError } from "../../base/delegation-error.ts";
import { callAsWorker } from "../../supervisor/worker-client.ts";
import type { RuntimeLink } from "./link.ts";
import type { ExternalManager, ExternalManagerOptions } from "../../supervisor/external-manager-client.ts";

export interface ExternalLinkOptions extends Omit<
  ExternalManagerOptions,
  "client" | "isProjectTrusted" | "story"
> {
  /** The client's name, once it has sent it. */
  readonly clientName: () => string;
  /** Refuses a project whose person has not allowed it to run what it names. */
  readonly checkTrust: () => Promise<boolean>;
}

/**
 * For an agent that a person started. The first call opens a story; from then on the agent makes the same calls as any
 * worker. After the story has ended, the next call opens another one.
 */
export function externalLink(options: ExternalLinkOptions): RuntimeLink {
  let opened: Promise<ExternalManager> | undefined;
  const open = async (): Promise<ExternalManager> => {
    const isProjectTrusted = await options.checkTrust();
    const { openExternalManager } = await import("../../supervisor/external-manager-client.ts");
    return openExternalManager({ ...options, client: options.clientName(), isProjectTrusted });
  };
  // The story's workers may have survived their supervisor; then the manager returns to them.
  const returnTo = async (known: ExternalManager): Promise<ExternalManager> => {
    if (known.isOpen()) return known;
    const isProjectTrusted = await options.checkTrust();
    const { reopenExternalManager } = await import("../../supervisor/external-manager-client.ts");
    return reopenExternalManager({ ...options, client: options.clientName(), isProjectTrusted }, known.story);
  };
  const manager = (): Promise<ExternalManager> => {
    // Calls may overlap: they share one opening. A failed opening or an ended story is followed by a new one.
    opened = opened === undefined ? open() : opened.then(returnTo, open);
    return opened;
  };
  return {
    mode: "outside",
    call: async (method, fields) => {
      if (opened === undefined) {
        const { answerBeforeStory } = await import("./before-first-story.ts");
        const answer = await answerBeforeStory(options, method, fields);
        if (answer !== undefined) return answer;
      }
      return callManaged(manager, ({ socket, token }) =>
        callAsWorker(socket, { method, parameters: { ...fields, token } }),
      );
    },
    answer: async (approval, isApproved) => {
      await options.checkTrust();
      const { ensureSupervisor } = await import("../../supervisor/ensure-supervisor.ts");
      const client = await ensureSupervisor(options);
      try {
        const answer = isApproved ? "approved" : "rejected";
        await client.call("answer", { approval, answer, reason: "", by: "person" });
      } catch (error) {
        // Answered elsewhere in the meantime, for example in the terminal: that answer counts.
        if (!(error instanceof DelegationError) || error.code !== "APPROVAL_NOT_FOUND") throw error;
      } finally {
        client.close();
      }
    },
    close: () => void opened?.then((known) => known.close()).catch(() => undefined),
  };
}

/** A call that meets the end of a story is made again in the next one. */
async function callManaged(
  manager: () => Promise<ExternalManager>,
  send: (known: ExternalManager) => Promise<unknown>,
): Promise<unknown> {
  const known = await manager();
  try {
    return await send(known);
  } catch (error) {
    if (!(await hasJustEnded(known, error))) throw error;
    return send(await manager());
  }
}

const MAX_END_MS = 10_000;

/** Whether a call was refused only because the manager's story was about to end; waits for that end. */
async function hasJustEnded({ closed }: ExternalManager, error: unknown): Promise<boolean> {
  if (!(error instanceof DelegationError) || error.code !== "NOT_A_WORKER") return false;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), MAX_END_MS);
  });
  try {
    return await Promise.race([closed.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
