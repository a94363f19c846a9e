import * as z from "zod";
import { DelegationError } from "../base/delegation-error.ts";
import { approvalAnswers } from "../contract/approval.ts";
import { journalEventSchema } from "../contract/journal-event.ts";
import type { Engine } from "../orchestrator/engine.ts";
import { followUp } from "../orchestrator/follow-up.ts";
import { personWrites } from "../orchestrator/person-messages.ts";
import { openWorkflow } from "../orchestrator/pipeline.ts";
import { serveOutsideManager } from "./outside-managers.ts";
import { protocolVersion } from "./protocol.ts";
import type { Client, Handler } from "./server.ts";
import type { StoryWatchers } from "./story-watchers.ts";

export interface PersonCalls {
  readonly engine: Engine;
  readonly watchers: StoryWatchers;
  readonly version: string;
  readonly onShutdown: () => void;
}

const by = z.string().max(200);
const reason = z.string().max(4000);
const storySchema = z.strictObject({ story: z.string() });
const stopSchema = z.strictObject({ id: z.string(), reason, by });
const idSchema = z.strictObject({ id: z.string() });
const answerSchema = z.strictObject({ approval: z.string(), answer: z.enum(approvalAnswers), reason, by });
const followUpSchema = z.strictObject({
  id: z.string(),
  from: z.enum(["work", "base"]),
  note: reason.default(""),
  agent: z.string().optional(),
  budgetMicroUsd: z.int().min(0).optional(),
  timeoutSeconds: z.int().min(1).optional(),
});

/** Everything a person's command can ask for. */
export function personHandlers(calls: PersonCalls): ReadonlyMap<string, Handler> {
  const { engine, version } = calls;
  return new Map<string, Handler>([
    ["hello", async () => ({ protocol: protocolVersion, version, pid: process.pid })],
    ["run", async (parameters) => ({ story: await engine.openStory(parameters) })],
    ["workflow", (parameters) => startWorkflow(engine, parameters)],
    ["outside", (parameters, client) => serveOutsideManager(engine, parameters, client)],
    ["attach", (parameters, client) => attach(calls, parameters, client)],
    ["stop", (parameters) => stop(engine, parameters)],
    ["answer", (parameters) => answer(engine, parameters)],
    ["message", (parameters) => personWrites(engine, parameters)],
    [
      "follow-up",
      async (parameters) => ({ story: await followUp(engine, followUpSchema.parse(parameters)) }),
    ],
    ["explain", async (parameters) => ({ waits: engine.whyWaiting(idSchema.parse(parameters).id) ?? null })],
    ["status", async () => ({ pid: process.pid, version, running: await openStories(engine) })],
    ["shutdown", async () => calls.onShutdown()],
  ]);
}

async function startWorkflow(engine: Engine, parameters: unknown): Promise<object> {
  const opened = await openWorkflow(engine.tools, parameters);
  engine.consider(opened.story);
  return opened;
}

const PAGE = 500;

/** First all that has happened, then what happens: a client that comes late sees the same story. */
async function attach(
  { engine, watchers }: PersonCalls,
  parameters: unknown,
  client: Client,
): Promise<object> {
  const { story } = storySchema.parse(parameters);
  const delegation = await engine.tools.store.delegation(story);
  if (delegation === undefined) throw unknownStory(story);
  let told = 0;
  const held: (() => void)[] = [];
  let isLive = false;
  const later = (action: () => void): void => (isLive ? action() : void held.push(action));
  const leave = watchers.watch(story, {
    event: (event) =>
      later(() => {
        if (event.seq > told) client.notify("event", event);
      }),
    output: (notice) => later(() => client.notify("output", notice)),
  });
  client.onClose(leave);
  for (;;) {
    const page = await engine.tools.store.eventsAfter(told, PAGE, { story });
    for (const { body } of page.events) client.notify("event", journalEventSchema.parse(JSON.parse(body)));
    told = page.cursor;
    if (page.events.length < PAGE) break;
  }
  isLive = true;
  for (const action of held) action();
  return { story };
}

async function stop(engine: Engine, parameters: unknown): Promise<object> {
  const { id, ...why } = stopSchema.parse(parameters);
  const before = await engine.tools.store.delegation(id);
  if (before === undefined) throw unknownStory(id);
  if (before.state === "closed") return { stopped: false, outcome: before.outcome };
  await engine.stop(id, why);
  return { stopped: true, outcome: (await engine.whenEnded(id)).outcome };
}

async function answer(engine: Engine, parameters: unknown): Promise<object> {
  const { approval, ...given } = answerSchema.parse(parameters);
  await engine.answer(approval, given);
  return { approval };
}

async function openStories(engine: Engine): Promise<readonly string[]> {
  return engine.tools.store.openStories(1000);
}

function unknownStory(id: string): DelegationError {
  return new DelegationError({
    code: "STORY_NOT_FOUND",
    message: `There is no story or delegation ${id} in this project.`,
    recommendation: "See what there is with ambit status.",
  });
}
