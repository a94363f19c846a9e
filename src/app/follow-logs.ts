import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { outcomes } from "../contract/outcome.ts";
import { getStateDirectory } from "../project/state-directory.ts";
import { bringOutput } from "../orchestrator/bring-output.ts";
import type { AppContext } from "./project/app-context.ts";
import { findSupervisor } from "./project/connect-supervisor.ts";
import { findTarget } from "./project/find-target.ts";
import { EventFollower, LineFollower } from "./logs/follow-logs.ts";
import { listDelegations, type LogQuestion } from "./logs/log-question.ts";
import type { LogLine } from "./logs/read-log-lines.ts";
import { logLineSchema } from "./logs.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

const LOOK_MS = 200;

const input = () =>
  z.strictObject({
    id: z
      .string()
      .default("")
      .describe("An id, its beginning or a path such as 2.1; the newest story by default"),
    tail: z
      .int()
      .min(0)
      .optional()
      .describe("Begin with the newest lines of each task, or the newest events"),
    asEvents: z.boolean().default(false).describe("Events as they are stored, instead of what agents wrote"),
  });

const ended = () =>
  z.looseObject({
    story: z.string().nullable(),
    id: z.string().nullable(),
    outcome: z.enum(outcomes).nullable(),
  });

type FollowedEnd = z.output<ReturnType<typeof ended>>;

/** Waits until the work has ended. The command line prints every line as a document of its own before that. */
export const followLogsUseCase = defineUseCase({
  input,
  output: () => z.union([ended(), logLineSchema()]),
  isReadOnly: true,
  run: (context, wish) => followLogs(context, wish, () => Promise.resolve(true)),
});

/** Receives the lines since the last look; answers false to end the following. */
export type ReceiveLogs = (
  news: { readonly lines: readonly LogLine[]; readonly events: readonly string[] },
  target: { readonly story: string; readonly id: string },
) => Promise<boolean>;

/**
 * Hands over what is there and what comes, until the delegation has ended or no supervisor works on it. The open
 * connection tells the supervisor that somebody watches, and tells us when the supervisor is gone.
 */
export function followLogs(
  context: AppContext,
  { id, tail, asEvents }: z.output<ReturnType<typeof input>>,
  receive: ReceiveLogs,
): Promise<FollowedEnd> {
  return readStore(context, async (reader, { root }) => {
    const target = await findTarget(reader, id);
    if (reader === undefined || target === undefined) return { story: null, id: null, outcome: null };
    const question = { target, reader, stateDirectory: getStateDirectory(root), tail };
    await bringOutput(
      { projectRoot: root, environment: context.environment },
      await listDelegations(question),
    );
    const why = await follow(context, question, { asEvents, receive });
    const delegation = await reader.delegation(target.id);
    if (why === "unattended" && delegation !== undefined && delegation.state !== "closed")
      context.warn(
        `no supervisor works on ${target.id} now (${delegation.state}). Continue it: ambit resume ${target.story.id}`,
      );
    return { story: target.story.id, id: target.id, outcome: delegation?.outcome ?? null };
  });
}

async function follow(
  context: AppContext,
  question: LogQuestion,
  { asEvents, receive }: { readonly asEvents: boolean; readonly receive: ReceiveLogs },
): Promise<"ended" | "unattended" | "unwanted"> {
  const { reader, target } = question;
  const client = await findSupervisor(context);
  let isWatched = client !== undefined;
  void client?.closed.then(() => (isWatched = false));
  const follower = asEvents ? new EventFollower(question) : new LineFollower(question);
  try {
    for (;;) {
      // The state is read first, so that everything written before the end is read after the end is known.
      const state = (await reader.delegation(target.id))?.state;
      const isOver = state === "closed";
      const isLast = isOver || !isWatched;
      const news = await follower.readNew(isLast);
      const isWanted = await receive(news, { story: target.story.id, id: target.id });
      if (!isWanted) return "unwanted";
      if (isLast) return isOver ? "ended" : "unattended";
      await delay(LOOK_MS);
    }
  } finally {
    follower.close();
    client?.close();
  }
}
