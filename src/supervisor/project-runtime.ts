import { isInsideRun } from "../containment/inside-run.ts";
import { endWaitingLaunchers } from "../containment/launch.ts";
import type { JournalEvent } from "../contract/journal-event.ts";
import { createRunTools, type OpenRunTools, type RunToolsOptions } from "../orchestrator/create-run-tools.ts";
import { Engine } from "../orchestrator/engine.ts";
import { recoverOpenWork, type Recovered } from "../orchestrator/recover.ts";
import { followTodos } from "../orchestrator/todo-state.ts";
import type { Delegation } from "../journal/store.ts";
import { telemetryProviders } from "../agents/agent-programs.ts";
import type { SupervisorClient } from "./client.ts";
import { bindHandlers, createPersonHandlers, type PersonHandlers } from "./handlers/person-handlers.ts";
import { protocolVersion, type Notice } from "./protocol/envelope.ts";
import { personCalls } from "./protocol/person-calls.ts";
import { isPeerInsideRun } from "./socket/peer-process.ts";
import { type JudgePeer, SocketServer } from "./socket/socket-server.ts";
import { startMetricExport } from "../telemetry/metric-exporter.ts";
import { startTraceExport, type TraceExporter } from "../telemetry/trace-exporter.ts";
import { keepCheckpoint } from "./keep-checkpoint.ts";
import { AnchorKeeper } from "./watchers/anchor-keeper.ts";
import { Notifier } from "./watchers/notifier.ts";
import { StoryLog } from "./watchers/story-log.ts";
import { StoryWatchers } from "./watchers/story-watchers.ts";
import { supervisorFiles } from "./supervisor-files.ts";
import { TaskSettler } from "./watchers/task-settler.ts";
import { createWorkerHandlers } from "./handlers/worker-handlers.ts";

export interface ProjectRuntimeOptions extends Omit<RunToolsOptions, "socket" | "watch" | "owner"> {
  readonly version: string;
  /** Runs when the last client leaves and when a story ends. */
  readonly onQuiet: () => void;
  /** Runs before a command's call is accepted, and may make the runtime leave. */
  readonly onCall?: () => void;
  readonly onShutdown: () => void;
  /** Runs when all work has stopped, before waiting clients are released. */
  readonly onStopped?: () => void;
  /** Receives every event of the project, starting before recovery. */
  readonly onEvent?: (event: JournalEvent) => void;
  /** How long an external manager may be disconnected before its story ends without it. */
  readonly outsideGraceMs?: number;
  /** Ends the leftovers of a dead runtime, but continues nothing and opens no socket. */
  readonly continuesNothing?: true;
  /** Replaces some of the owners of effects; tests use it to remove a defence. */
  readonly adaptTools?: (tools: OpenRunTools) => OpenRunTools;
  /** Decides which client is a worker, instead of the kernel; tests use it to remove that defence. */
  readonly judgePeer?: JudgePeer;
  /** Writes one line to the log of the process. */
  readonly log?: (line: string) => void;
}

export interface ProjectRuntime {
  readonly engine: Engine;
  readonly watchers: StoryWatchers;
  readonly recovered: readonly Recovered[];
  /** Calls the engine as a command does, without the socket. */
  readonly connect: () => SupervisorClient;
  /** Connected commands; workers are not counted. */
  readonly clients: () => number;
  /**
   * Accepts no further calls of commands; those already accepted are still answered. Workers are served until `close`.
   */
  readonly leave: () => void;
  close(): Promise<void>;
}

/**
 * The whole runtime of one project: engine, sockets, watchers. The caller holds the project's lock. Processes of a
 * runtime that died are ended first; then their delegations continue.
 */
export async function openProjectRuntime(options: ProjectRuntimeOptions): Promise<ProjectRuntime> {
  const { onQuiet, log = () => undefined, judgePeer = isPeerInsideRun } = options;
  const files = supervisorFiles(options.projectRoot);
  const watchers = new StoryWatchers();
  const made = await createRunTools({
    ...options,
    owner: `process ${process.pid}`,
    socket: files.workerSocket,
    watch: (notice) => watchers.tellOutput(notice),
    onReplaced: () => {
      log("another process coordinates this project now; this one leaves");
      options.onShutdown();
    },
  });
  const tools = options.adaptTools?.(made) ?? made;
  const { store: reader } = tools;
  const exported = { reader, stateFile: files.traces, providers: telemetryProviders, log };
  const traces = await startTraceExport({ ...options, ...exported });
  const metrics = startMetricExport({ ...options, ...exported });
  const listeners = startListeners(tools, { options, watchers, traces, log });
  const todos = followTodos(tools, options.log);
  const { elsewhere } = tools;
  const isOurs = async (delegation: Delegation): Promise<boolean> => !(await elsewhere?.isHeld(delegation));
  const recovered = await recoverOpenWork(tools, { isOurs });
  const engine = new Engine(tools, await tools.slots(), options.outsideGraceMs);
  const handlers = createPersonHandlers({ ...options, engine, watchers });
  const people = new SocketServer(bindHandlers(handlers), { onQuiet, judgePeer, onCall: options.onCall });
  const workers = new SocketServer(createWorkerHandlers(engine, options));
  if (options.continuesNothing !== true) await listenAndContinue({ engine, people, workers, files });
  watchers.onStoryEnded(onQuiet);
  return {
    engine,
    watchers,
    recovered,
    connect: () => createLocalClient(handlers, options.version),
    clients: () => people.clients,
    leave: () => people.leave(),
    close: async () => {
      // Workspaces are closed before sockets: a client that waits for our end may then remove the folder.
      await engine.close().then(() => tools.closePlaces());
      endWaitingLaunchers();
      options.onStopped?.();
      await listeners.noted();
      await Promise.all([people.close(), workers.close()]);
      listeners.stop();
      await todos.stop();
      await listeners.idle().then(() => Promise.all([traces.close(), metrics.close()]));
      await tools.close();
    },
  };
}

interface EventTargets {
  readonly options: ProjectRuntimeOptions;
  readonly watchers: StoryWatchers;
  readonly traces: TraceExporter;
  readonly log: (line: string) => void;
}

/** Passes every event to its listeners; none of them delays the work. */
function startListeners(
  tools: OpenRunTools,
  { options, watchers, traces, log }: EventTargets,
): {
  readonly stop: () => void;
  /** Resolves when git knows the end of each story so far. */
  readonly noted: () => Promise<void>;
  readonly idle: () => Promise<unknown>;
} {
  const settler = new TaskSettler(tools, log);
  const storyLog = new StoryLog(tools, log);
  const notifier = new Notifier({ ...options, reader: tools.store, log });
  const anchor = new AnchorKeeper({ ...options, store: tools.store, keepCheckpoint, log });
  const stop = tools.store.onEvent((event) => {
    watchers.tellEvent(event);
    traces.see(event);
    settler.onEvent(event);
    storyLog.onEvent(event);
    notifier.onEvent(event);
    anchor.onEvent(event);
    options.onEvent?.(event);
  });
  settler.settleEarlier();
  return {
    stop,
    noted: () => anchor.idle(),
    idle: () => Promise.all([settler.idle(), storyLog.idle(), notifier.close()]),
  };
}

async function listenAndContinue(parts: {
  readonly engine: Engine;
  readonly people: SocketServer;
  readonly workers: SocketServer;
  readonly files: ReturnType<typeof supervisorFiles>;
}): Promise<void> {
  const { engine, people, workers, files } = parts;
  try {
    await workers.listen(files.workerSocket);
    await engine.resumeAll();
    await people.listen(files.socket);
  } catch (error) {
    // One socket of two, or a launcher that waits, would keep the process alive after its error.
    await engine.close().catch(() => undefined);
    endWaitingLaunchers();
    await Promise.all([people.close(), workers.close()]);
    throw error;
  }
}

/** The same calls without a socket, for a program that runs the engine in its own process. */
function createLocalClient(handlers: PersonHandlers, version: string): SupervisorClient {
  const listeners: ((notice: Notice) => void)[] = [];
  const closing: (() => void)[] = [];
  let markClosed = (): void => undefined;
  const closed = new Promise<void>((resolve) => (markClosed = resolve));
  const client = {
    notify: (notice: Notice): void => {
      for (const listener of listeners) listener(notice);
    },
    onClose: (action: () => void): void => void closing.push(action),
    isInsideRun: async () => isInsideRun(process.pid),
  };
  return {
    hello: { protocol: protocolVersion, version, pid: process.pid },
    call: (method, parameters) => handlers[method](personCalls[method].input.parse(parameters), client),
    onNotice: (listener) => void listeners.push(listener),
    closed,
    close: () => {
      for (const action of closing.splice(0)) action();
      markClosed();
    },
  };
}
