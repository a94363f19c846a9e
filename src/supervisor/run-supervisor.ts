import { outsideGraceMs } from "./outside-managers.ts";
import { asProjectOwner } from "./project-lock.ts";
import { openProjectRuntime, type ProjectRuntime } from "./project-runtime.ts";
import { failureLine } from "./start-failure.ts";
import { supervisorFiles } from "./supervisor-files.ts";

export interface SupervisorOptions {
  readonly projectRoot: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workerProgram: readonly string[];
  readonly program: readonly string[];
  /** How long it stays without clients and without work. */
  readonly idleMs: number;
  /** One line of its log. */
  readonly log: (line: string) => void;
}

/**
 * The one process that owns a project: takes the lock, takes up what a dead predecessor left, serves clients, leaves
 * when nobody needs it. Resolves when it is done; refuses to start beside another one.
 */
export async function runSupervisor(options: SupervisorOptions): Promise<void> {
  keepGoingWithoutLog();
  try {
    await asProjectOwner(options, () => serve(options));
  } catch (error) {
    options.log(failureLine(error));
    throw error;
  }
}

/** Its log is a file on the same disk as all else; a line that does not fit there must not end what runs. */
function keepGoingWithoutLog(): void {
  if (!process.stderr.listeners("error").includes(ignoreLostLine)) process.stderr.on("error", ignoreLostLine);
}

const ignoreLostLine = (): void => undefined;

async function serve(options: SupervisorOptions): Promise<void> {
  const idle = new IdleTimer(options.idleMs);
  const runtime = await openProjectRuntime({
    ...options,
    onQuiet: () => idle.consider(),
    onShutdown: () => idle.leaveNow(),
    outsideGraceMs: outsideGraceMs(options.idleMs),
  });
  for (const { id, killed, state } of runtime.recovered)
    options.log(`recovered ${id}: ${killed} process(es) ended, goes on as ${state}`);
  options.log(`listening on ${supervisorFiles(options.projectRoot).socket}`);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => idle.leaveNow());
  idle.watch(runtime);
  await idle.left;
  options.log("leaving");
  await stopAll(runtime);
  await runtime.close();
}

/** Leaving on request with work running: what waits for a person stays open, what runs is stopped and kept. */
async function stopAll({ engine }: ProjectRuntime): Promise<void> {
  const why = { reason: "the supervisor was asked to leave", by: "supervisor" };
  const stories = await engine.tools.store.openStories(1000);
  const active = stories.filter((story) => engine.isBusy(story));
  await Promise.all(active.map((story) => engine.stop(story, why)));
}

/** `setTimeout` fires at once beyond this. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Decides when to leave: nobody connected, nothing running, for long enough; or at once when told. */
class IdleTimer {
  readonly #idleMs: number;
  #runtime: ProjectRuntime | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leave: () => void = () => undefined;
  readonly left: Promise<void>;

  constructor(idleMs: number) {
    this.#idleMs = Math.min(idleMs, LONGEST_TIMER_MS);
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  watch(runtime: ProjectRuntime): void {
    this.#runtime = runtime;
    this.consider();
  }

  /** Looks again after each quiet spell: work that waits for a person needs no process meanwhile. */
  consider(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const runtime = this.#runtime;
      if (runtime === undefined || runtime.clients() > 0 || runtime.engine.isBusy()) this.consider();
      else this.#leave();
    }, this.#idleMs);
  }

  leaveNow(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}
