import { DelegationError } from "../../base/delegation-error.ts";
import { supervisorErrors } from "../../errors/supervisor.ts";
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
 * For an agent that a person started. Its first call that acts opens a story; from then on the agent makes the same calls
 * as any worker. Once the story has ended, the next call that changes something opens another one; calls that only read open none.
 */
export function externalLink(options: ExternalLinkOptions): RuntimeLink {
  const stories = followStories(options);
  const callStory: CallStory = async (method, fields) => {
    if ((await stories.find()) === undefined) {
      const { answerWithoutStory } = await import("./answer-without-story.ts");
      const answer = await answerWithoutStory(options, method, fields);
      if (answer !== undefined) return { answer };
    }
    const known = await stories.open();
    try {
      const parameters = { ...fields, token: known.token };
      return { answer: await callAsWorker(known.socket, { method, parameters }) };
    } catch (error) {
      if (error instanceof DelegationError && error.code === "SUPERVISOR_GONE")
        throw supervisorErrors.goneForManager();
      if (!(await hasJustEnded(known, error))) throw error;
      return { refused: error };
    }
  };
  return {
    mode: "outside",
    call: (method, fields) => callTwice(callStory, method, fields),
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
    close: () => stories.leave(),
  };
}

interface Stories {
  /** The story of this link; undefined before the first and after the end of the last one. */
  readonly find: () => Promise<ExternalManager | undefined>;
  /** The same, opened if there is none. */
  readonly open: () => Promise<ExternalManager>;
  readonly leave: () => void;
}

/** Calls may overlap: they share one opening. A failed opening or an ended story is followed by a new one. */
function followStories(options: ExternalLinkOptions): Stories {
  let opened: Promise<ExternalManager | undefined> = Promise.resolve(undefined);
  const introduce = async () => {
    const isProjectTrusted = await options.checkTrust();
    return { ...options, client: options.clientName(), isProjectTrusted };
  };
  // The story's workers may have survived their supervisor; then the manager returns to them.
  const returnTo = async (known: ExternalManager | undefined): Promise<ExternalManager | undefined> => {
    if (known === undefined || known.hasEnded()) return undefined;
    if (known.isOpen()) return known;
    const { rejoinExternalManager } = await import("../../supervisor/external-manager-client.ts");
    return rejoinExternalManager(await introduce(), known.story);
  };
  const find = (): Promise<ExternalManager | undefined> => {
    opened = opened.then(returnTo, () => undefined);
    return opened;
  };
  const openAnother = async (): Promise<ExternalManager> => {
    const { openExternalManager } = await import("../../supervisor/external-manager-client.ts");
    return openExternalManager(await introduce());
  };
  return {
    find,
    open: () => {
      const next = find().then((known) => known ?? openAnother());
      opened = next;
      return next;
    },
    leave: () => void opened.then((known) => known?.close()).catch(() => undefined),
  };
}

type CallStory = (
  method: string,
  fields: Readonly<Record<string, unknown>>,
) => Promise<{ readonly answer: unknown } | { readonly refused: unknown }>;

/** A call that meets the end of a story is made again after it. */
async function callTwice(call: CallStory, ...words: Parameters<CallStory>): Promise<unknown> {
  const first = await call(...words);
  const last = "answer" in first ? first : await call(...words);
  if ("answer" in last) return last.answer;
  throw last.refused;
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
