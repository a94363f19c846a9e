import * as z from "zod";
import { randomBase36 } from "../base/ids.ts";
import { storyIdSchema } from "../contract/identity.ts";
import type { Engine } from "../orchestrator/engine.ts";
import { nameOutside, OUTSIDE_ADAPTER } from "../orchestrator/delegation-kind.ts";
import type { Client } from "./server.ts";

const outsideSchema = z.strictObject({
  /** The program that leads, as it calls itself. */
  client: z.string().max(200),
  title: z.string().min(1).max(2000).optional(),
  /** One that it led before; a new one when absent. */
  story: storyIdSchema.optional(),
});

const LONGEST_GRACE_MS = 20_000;

/** How long a manager that has gone may stay away, for an owner that stays this long without work itself. */
export function outsideGraceMs(idleMs: number): number {
  return Math.min(idleMs, LONGEST_GRACE_MS);
}

/**
 * A manager that was not started here leads a story from now on, for as long as its connection lives. Its token is for
 * the workers' socket, where it can do what any manager can, and no more.
 */
export async function serveOutsideManager(
  engine: Engine,
  parameters: unknown,
  client: Client,
): Promise<object> {
  const { client: name, title, story: known } = outsideSchema.parse(parameters);
  const story = known ?? `S-${randomBase36(6)}`;
  const open = (): Promise<string> => engine.openStory(requestOf(story, name, title));
  const token = await (known === undefined ? engine.outside.open(story, open) : engine.outside.join(story));
  client.onClose(() => engine.outside.leave(story, token));
  void engine.whenEnded(story).then(({ outcome }) => client.notify("outside-ended", { story, outcome }));
  return { story, token, socket: engine.tools.socket };
}

function requestOf(id: string, client: string, title: string | undefined): object {
  return {
    id,
    title: title ?? `Work led by ${client === "" ? "a client" : client}`.slice(0, 200),
    adapter: OUTSIDE_ADAPTER,
    agent: nameOutside(client),
  };
}
