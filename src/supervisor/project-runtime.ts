import type { JournalEvent } from "../contract/journal-event.ts";
import { createRunTools, type RunToolsOptions } from "../orchestrator/create-run-tools.ts";
import { Engine } from "../orchestrator/engine.ts";
import { recoverOpenWork, type Recovered } from "../orchestrator/recover.ts";
import { followTodos } from "../orchestrator/todo-state.ts";
import { personHandlers } from "./person-handlers.ts";
import { SocketServer } from "./server.ts";
import { telemetryProviders } from "../agents/agent-programs.ts";
import { startTraceExport } from "../telemetry/trace-exporter.ts";
import { StoryWatchers } from "./story-watchers.ts";
import { supervisorFiles } from "./supervisor-files.ts";
import { TaskSettler } from "./task-settler.ts";
import { workerHandlers } from "./worker-handlers.ts";

export interface ProjectRuntimeOptions extends Omit<RunToolsOptions, "socket" | "watch" | "owner"> {
  readonly version: string;
  /** Runs whenever nobody is connected any more, or nothing is open any more. */
  readonly onQuiet: () => void;
  readonly onShutdown: () => void;
  /** Told of every event of the project, from before recovery on. */
  readonly onEvent?: (event: JournalEvent) => void;
  /** How long a manager that was not started here may stay away before its story ends without it. */
  readonly outsideGraceMs?: number;
  /** One line for whoever keeps a log of the process. */
  readonly log?: (line: string) => void;
}

export interface ProjectRuntime {
  readonly engine: Engine;
  readonly watchers: StoryWatchers;
  readonly recovered: readonly Recovered[];
  /** Clients of people; workers are not counted. */
  readonly clients: () => number;
  close(): Promise<void>;
}

/**
 * The whole runtime of one project: engine, sockets, watchers. The caller holds the project's lock. Whatever a dead
 * predecessor left is ended first and then taken up again.
 */
export async function openProjectRuntime(options: ProjectRuntimeOptions): Promise<ProjectRuntime> {
  const files = supervisorFiles(options.projectRoot);
  const watchers = new StoryWatchers();
  const tools = await createRunTools({
    ...options,
    owner: `process ${process.pid}`,
    socket: files.workerSocket,
    watch: (notice) => watchers.tellOutput(notice),
  });
  const traces = await startTraceExport({
    ...options,
    reader: tools.store,
    stateFile: files.traces,
    providers: telemetryProviders,
    log: options.log ?? (() => undefined),
  });
  const settler = new TaskSettler(tools, options.log ?? (() => undefined));
  const stopListening = tools.store.onEvent((event) => {
    watchers.tellEvent(event);
    traces.see(event);
    settler.see(event);
    options.onEvent?.(event);
  });
  settler.takeUp();
  const todos = followTodos(tools, options.log);
  const recovered = await recoverOpenWork(tools);
  const { limits } = await tools.settings();
  const engine = new Engine(tools, limits.maxConcurrent, options.outsideGraceMs);
  const people = new SocketServer(personHandlers({ ...options, engine, watchers }), options.onQuiet);
  const workers = new SocketServer(workerHandlers(engine, options), () => undefined);
  await workers.listen(files.workerSocket);
  await engine.resumeAll();
  await people.listen(files.socket);
  watchers.onStoryEnded(options.onQuiet);
  return {
    engine,
    watchers,
    recovered,
    clients: () => people.clients,
    close: async () => {
      // Places before sockets: who waits for us to be gone may want to remove the folder then.
      await engine.close().then(() => tools.closePlaces());
      await Promise.all([people.close(), workers.close()]);
      stopListening();
      await todos.stop();
      await settler.idle();
      await traces.close();
      await tools.close();
    },
  };
}
