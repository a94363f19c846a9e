import { journalEventSchema } from "../../contract/journal-event.ts";
import { supervisorErrors } from "../../errors/supervisor.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { continueDelegation } from "../../orchestrator/follow-up.ts";
import { sendPersonMessage } from "../../orchestrator/person-messages.ts";
import { openWorkflow } from "../../orchestrator/pipeline.ts";
import { protocolVersion } from "../protocol/envelope.ts";
import {
  isPersonCall,
  personCalls,
  type PersonCallName,
  type PersonCalls,
} from "../protocol/person-calls.ts";
import type { Client, Handler } from "../socket/socket-server.ts";
import type { StoryWatchers } from "../watchers/story-watchers.ts";
import { serveExternalManager } from "./external-manager-handler.ts";

export interface PersonContext {
  readonly engine: Engine;
  readonly watchers: StoryWatchers;
  readonly version: string;
  readonly onShutdown: () => void;
}

/** One function per call, with the input and the answer that the protocol describes. */
export type PersonHandlers = {
  readonly [Name in PersonCallName]: (
    input: PersonCalls[Name]["read"],
    client: Client,
  ) => Promise<PersonCalls[Name]["answer"]>;
};

/** Everything a person's command can ask for. */
export function createPersonHandlers(context: PersonContext): PersonHandlers {
  const { engine, version } = context;
  const { pid } = process;
  return {
    hello: async () => ({ protocol: protocolVersion, version, pid }),
    run: async (request) => ({ story: await engine.openStory(request) }),
    workflow: async (request) => {
      const opened = await openWorkflow(engine.tools, request);
      engine.consider(opened.story);
      return opened;
    },
    outside: (request, client) => serveExternalManager(engine, request, client),
    attach: ({ story }, client) => attachClient(context, story, client),
    stop: ({ id, ...why }) => stopWork(engine, id, why),
    answer: async ({ approval, ...given }) => {
      await engine.answer(approval, given);
      return { approval };
    },
    message: (message) => sendPersonMessage(engine, message),
    "follow-up": async (request) => ({ story: await continueDelegation(engine, request) }),
    explain: async ({ id }) => ({ waits: engine.whyWaiting(id) ?? null }),
    status: async () => ({ pid, version, running: await engine.tools.store.openStories(MAX_STORIES) }),
    shutdown: async () => {
      context.onShutdown();
      return null;
    },
  };
}

/** The handlers as the socket server calls them: by name, with input that is checked here. */
export function bindHandlers(handlers: PersonHandlers): ReadonlyMap<string, Handler> {
  const bindHandler = <Name extends PersonCallName>(name: Name): [Name, Handler] => [
    name,
    (parameters, client) => handlers[name](personCalls[name].input.parse(parameters), client),
  ];
  return new Map(Object.keys(personCalls).filter(isPersonCall).map(bindHandler));
}

const MAX_STORIES = 1000;
const PAGE = 500;

/** Sends everything that has happened, then what happens: a client that comes late sees the same story. */
async function attachClient(
  { engine, watchers }: PersonContext,
  story: string,
  client: Client,
): Promise<{ story: string }> {
  if ((await engine.tools.store.delegation(story)) === undefined) throw supervisorErrors.unknownStory(story);
  let sent = 0;
  const held: (() => void)[] = [];
  let isLive = false;
  const sendLater = (action: () => void): void => (isLive ? action() : void held.push(action));
  const leave = watchers.watch(story, {
    event: (event) =>
      sendLater(() => {
        if (event.seq > sent) client.notify({ notice: "event", data: event });
      }),
    output: ({ delegation, text }) =>
      sendLater(() => client.notify({ notice: "output", data: { delegation, text } })),
  });
  client.onClose(leave);
  for (;;) {
    const page = await engine.tools.store.eventsAfter(sent, PAGE, { story });
    for (const { body } of page.events)
      client.notify({ notice: "event", data: journalEventSchema.parse(JSON.parse(body)) });
    sent = page.cursor;
    if (page.events.length < PAGE) break;
  }
  isLive = true;
  for (const action of held) action();
  return { story };
}

async function stopWork(
  engine: Engine,
  id: string,
  why: { readonly reason: string; readonly by: string },
): Promise<PersonCalls["stop"]["answer"]> {
  const before = await engine.tools.store.delegation(id);
  if (before === undefined) throw supervisorErrors.unknownStory(id);
  if (before.state === "closed") return { stopped: false, outcome: before.outcome };
  await engine.stop(id, why);
  return { stopped: true, outcome: (await engine.whenEnded(id)).outcome };
}
