import { createRunTools } from "../orchestrator/create-run-tools.ts";
import { recoverOpenWork } from "../orchestrator/recover.ts";
import { asProjectOwner } from "./project-lock.ts";
import { ProjectRuns } from "./project-runs.ts";
import { protocolVersion } from "./protocol.ts";
import { SocketServer, type Handler } from "./server.ts";
import { supervisorFiles, type SupervisorFiles } from "./supervisor-files.ts";

export interface SupervisorOptions {
  readonly projectRoot: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workerProgram: readonly string[];
  /** How long it stays without clients and without work. */
  readonly idleMs: number;
  /** One line of its log. */
  readonly log: (line: string) => void;
}

/**
 * The one process that owns a project: takes the lock, ends and keeps what a dead predecessor left, serves clients,
 * leaves when nobody needs it. Resolves when it is done; refuses to start beside another one.
 */
export function runSupervisor(options: SupervisorOptions): Promise<void> {
  return asProjectOwner(options, () => serve(options, supervisorFiles(options.projectRoot)));
}

async function serve(options: SupervisorOptions, files: SupervisorFiles): Promise<void> {
  const runs = new ProjectRuns();
  const tools = await createRunTools({
    ...options,
    owner: `supervisor ${process.pid}`,
    watch: (notice) => runs.tell(notice),
  });
  for (const { id, killed, outcome } of await recoverOpenWork(tools)) {
    options.log(`recovered ${id}: ${killed} process(es) ended, closed as ${outcome}`);
  }
  const idle = new IdleTimer(options.idleMs);
  const server = new SocketServer(handlers(options, { runs, idle, tools }), () =>
    idle.consider(runs, server),
  );
  await server.listen(files.socket);
  options.log(`listening on ${files.socket}`);
  runs.onQuiet(() => idle.consider(runs, server));
  idle.consider(runs, server);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => idle.leaveNow());
  await idle.left;
  options.log("leaving");
  await runs.stopAll(tools.store);
  await server.close();
  await tools.store.close();
}

interface Served {
  readonly runs: ProjectRuns;
  readonly idle: IdleTimer;
  readonly tools: Awaited<ReturnType<typeof createRunTools>>;
}

function handlers(options: SupervisorOptions, served: Served): ReadonlyMap<string, Handler> {
  const { runs, idle, tools } = served;
  return new Map<string, Handler>([
    ["hello", async () => ({ protocol: protocolVersion, version: options.version, pid: process.pid })],
    ["run", async (parameters, client) => runs.start(tools, parameters, client)],
    ["attach", async (parameters, client) => runs.attach(tools.store, parameters, client)],
    ["stop", async (parameters) => runs.stop(tools.store, parameters)],
    ["status", async () => ({ pid: process.pid, version: options.version, running: runs.running() })],
    ["shutdown", async () => idle.leaveNow()],
  ]);
}

/** Decides when to leave: nobody connected, nothing running, for long enough; or at once when told. */
class IdleTimer {
  readonly #idleMs: number;
  #timer: NodeJS.Timeout | undefined;
  #leave: () => void = () => undefined;
  readonly left: Promise<void>;

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  consider(runs: ProjectRuns, server: SocketServer): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (server.clients === 0 && runs.running().length === 0) this.#leave();
    }, this.#idleMs);
  }

  leaveNow(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}
