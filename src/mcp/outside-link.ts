import { callOnce } from "../supervisor/call-once.ts";
import { describeError } from "./describe-error.ts";
import type { RuntimeLink } from "./runtime-link.ts";
import type { OutsideManager, OutsideOptions } from "../supervisor/outside-manager.ts";

export interface OutsideLinkOptions extends Omit<OutsideOptions, "client" | "story"> {
  /** How the client calls itself, once it has said so. */
  readonly clientName: () => string;
}

/**
 * For an agent a person started: a story is opened with the first call that needs one, and from then on the same calls
 * are made as by any worker. When the story has ended, the next call opens another one.
 */
export function outsideLink(options: OutsideLinkOptions): RuntimeLink {
  let opened: Promise<OutsideManager> | undefined;
  const open = async (): Promise<OutsideManager> => {
    const { openOutsideManager } = await import("../supervisor/outside-manager.ts");
    return openOutsideManager({ ...options, client: options.clientName() });
  };
  // Its workers may still be there after the supervisor died; then they are found again.
  const leadOn = async (known: OutsideManager): Promise<OutsideManager> => {
    if (known.isOpen()) return known;
    const { reopenOutsideManager } = await import("../supervisor/outside-manager.ts");
    return reopenOutsideManager({ ...options, client: options.clientName() }, known.story);
  };
  const manager = (): Promise<OutsideManager> => {
    // Calls come side by side: what is being opened is waited for; what failed or has ended is opened anew.
    opened = opened === undefined ? open() : opened.then(leadOn, open);
    return opened;
  };
  return {
    mode: "outside",
    call: async (method, fields) => {
      const { socket, token } = await manager();
      return callOnce(socket, { method, parameters: { ...fields, token } });
    },
    answer: async (approval, isApproved) => {
      const { ensureSupervisor } = await import("../supervisor/ensure-supervisor.ts");
      const client = await ensureSupervisor(options);
      try {
        const answer = isApproved ? "approved" : "rejected";
        await client.call("answer", { approval, answer, reason: "", by: "person" });
      } catch (error) {
        // Answered elsewhere in the meantime, in the terminal for example: then that answer stands.
        if (describeError(error).code !== "APPROVAL_NOT_FOUND") throw error;
      } finally {
        client.close();
      }
    },
    close: () => void opened?.then((known) => known.close()).catch(() => undefined),
  };
}
