import type { AnswerSource, Surface } from "../../contract/approval.ts";
import { journalEventSchema } from "../../contract/journal-event.ts";
import { supervisorErrors } from "../../errors/supervisor.ts";
import type { Engine } from "../../orchestrator/engine.ts";
import { continueDelegation } from "../../orchestrator/follow-up.ts";
import type { StoryCaller } from "../../orchestrator/story-caller.ts";
import { addPersonNote, sendPersonMessage } from "../../orchestrator/person-messages.ts";
import { openWorkflow } from "../../orchestrator/open-workflow.ts";
import { randomBase36 } from "../../base/ids.ts";
import { nameExternalManager, OUTSIDE_ADAPTER } from "../../orchestrator/delegation-kind.ts";
import { protocolVersion } from "../protocol/envelope.ts";
import {
  isPersonCall,
  personCalls,
  type PersonCallName,
  type PersonCalls,
  readingCalls,
} from "../protocol/person-calls.ts";
import type { Client, Handler } from "../socket/socket-server.ts";
import type { StoryWatchers } from "../watchers/story-watchers.ts";

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
  const introductions = new WeakMap<Client, Introduction>();
  const readOrigin = (client: Client): StoryCaller => introductions.get(client)?.origin ?? {};
  return {
    hello: async ({ surface, terminal, environment, checkout }, client) => {
      introductions.set(client, { surface, terminal, origin: { environment, checkout } });
      return { protocol: protocolVersion, version, pid };
    },
    caller: async (_, client) => ({ inside_run: await client.isInsideRun() }),
    run: (request, client) =>
      openWithWarnings((caller) => engine.openStory(request, caller), readOrigin(client)),
    workflow: async (request, client) => {
      const opened = await openWorkflow(engine.tools, request, readOrigin(client));
      engine.consider(opened.story);
      return opened;
    },
    outside: (request, client) =>
      serveExternalManager(engine, { ...request, origin: readOrigin(client) }, client),
    attach: ({ story }, client) => attachClient(context, story, client),
    stop: ({ id, ...why }) => stopWork(engine, id, why),
    answer: async ({ approval, ...given }, client) => {
      const via = await describeSource(client, introductions.get(client));
      await engine.answer(approval, { ...given, via });
      return { approval };
    },
    message: async (message, client) =>
      sendPersonMessage(engine, message, await describeSource(client, introductions.get(client))),
    note: async ({ id, text }) => {
      await addPersonNote(engine, id, text);
      return { id };
    },
    "follow-up": (request, client) =>
      openWithWarnings((caller) => continueDelegation(engine, request, caller), readOrigin(client)),
    explain: async ({ id }) => ({ waits: engine.whyWaiting(id) ?? null }),
    status: async () => {
      const running = await engine.tools.store.openStories(MAX_STORIES);
      return { pid, version, running, busy: running.filter((story) => engine.isBusy(story)) };
    },
    shutdown: async () => {
      context.onShutdown();
      return null;
    },
  };
}

/** The story's id, and warnings for its person, although it starts. */
async function openWithWarnings(
  open: (caller: StoryCaller) => Promise<string>,
  origin: StoryCaller,
): Promise<PersonCalls["run"]["answer"]> {
  const warnings: string[] = [];
  const story = await open({ ...origin, warn: (text) => void warnings.push(text) });
  return { story, warnings };
}

/** The facts that a client states about itself when it connects. */
interface Introduction {
  readonly surface: Surface | undefined;
  readonly terminal: boolean | undefined;
  readonly origin: StoryCaller;
}

/** A client that never introduced itself is a program in this process. */
async function describeSource(client: Client, introduction: Introduction | undefined): Promise<AnswerSource> {
  const insideRun = await client.isInsideRun();
  if (introduction === undefined) return { surface: "library", socket: false, terminal: false, insideRun };
  const { surface = "cli", terminal = false } = introduction;
  return { surface, socket: true, terminal, insideRun };
}

/**
 * The handlers as the socket server calls them: by name, with input that is checked here. A worker may only make reading
 * calls.
 */
export function bindHandlers(handlers: PersonHandlers): ReadonlyMap<string, Handler> {
  const bindHandler = <Name extends PersonCallName>(name: Name): [Name, Handler] => [
    name,
    async (parameters, client) => {
      if (!readingCalls.has(name) && (await client.isInsideRun()) === true)
        throw supervisorErrors.calledByWorker(name);
      return handlers[name](personCalls[name].input.parse(parameters), client);
    },
  ];
  return new Map(Object.keys(personCalls).filter(isPersonCall).map(bindHandler));
}

const MAX_STORIES = 1000;
const PAGE = 500;

/** Sends all earlier events first and then new ones, so that a client that comes late sees the same story. */
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

type ManagerRequest = PersonCalls["outside"]["read"] & {
  /** The manager's own shell and checkout. */
  readonly origin: StoryCaller;
};

/**
 * Lets a manager that runs outside manage a story for as long as its connection lives. Its token is for the workers'
 * socket, where it can do what any manager can and no more.
 */
async function serveExternalManager(
  engine: Engine,
  { client: name, title, story: known, isProjectTrusted, origin }: ManagerRequest,
  client: Client,
): Promise<PersonCalls["outside"]["answer"]> {
  const story = known ?? `S-${randomBase36(6)}`;
  const open = (): Promise<string> =>
    engine.openStory({ ...buildRequest(story, name, title), isProjectTrusted }, origin);
  const token = await (known === undefined
    ? engine.externalManagers.open(story, open)
    : engine.externalManagers.join(story));
  client.onClose(() => engine.externalManagers.leave(story, token));
  void engine
    .whenEnded(story)
    .then(({ outcome }) => client.notify({ notice: "outside-ended", data: { story, outcome } }));
  return { story, token, socket: engine.tools.socket };
}

function buildRequest(id: string, client: string, title: string | undefined): object {
  return {
    id,
    title: title ?? `Work managed by ${client === "" ? "a client" : client}`.slice(0, 200),
    adapter: OUTSIDE_ADAPTER,
    agent: nameExternalManager(client),
  };
}
