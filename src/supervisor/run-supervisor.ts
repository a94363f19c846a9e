import { countThings } from "../base/count-things.ts";
import { lstatSync } from "node:fs";
import { backUpStore } from "../journal/back-up-store.ts";
import { keepSchemaCopy } from "../config/schema-copy.ts";
import { storeFile } from "../journal/store-file.ts";
import { getStateDirectory, guardPlace } from "../project/state-directory.ts";
import { learnSecrets } from "../redaction/learn-secrets.ts";
import { listTreeFolders } from "../workspace/find-workspace.ts";
import { asProjectOwner } from "./project-lock.ts";
import { openProjectRuntime, type ProjectRuntime } from "./project-runtime.ts";
import { supervisorFiles } from "./supervisor-files.ts";

const LOOK_MS = 500;

export interface SupervisorOptions {
  readonly projectRoot: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workerProgram: readonly string[];
  readonly program: readonly string[];
  /** How long it stays without clients and without work. */
  readonly idleMs: number;
  /** One line of its log. */
  readonly log: (text: string, error?: unknown) => void;
}

/**
 * The one process that owns a project. It takes the lock, continues the work of a supervisor that died, serves clients,
 * and exits when it is idle. Resolves when it is done; refuses to start while another one runs.
 */
export async function runSupervisor(options: SupervisorOptions): Promise<void> {
  learnSecrets(options.environment);
  ignoreLogErrors();
  try {
    await asProjectOwner(options, () => serve(options));
  } catch (error) {
    options.log("could not run", error);
    throw error;
  }
}

/** The log is on the same disk as everything else; a full disk must not end running work. */
function ignoreLogErrors(): void {
  if (!process.stderr.listeners("error").includes(ignoreLostLine)) process.stderr.on("error", ignoreLostLine);
}

const ignoreLostLine = (): void => undefined;

/** How long an external manager may be disconnected before its story ends without it. */
const MAX_GRACE_MS = 20_000;

async function serve(options: SupervisorOptions): Promise<void> {
  const idle = new IdleTimer(options.idleMs);
  const watched: { files?: OwnFilesWatch; isGone?: true } = {};
  const runtime = await openProjectRuntime({
    ...options,
    onQuiet: () => idle.consider(),
    // A command that comes after the supervisor's files were removed must not be served as if they existed.
    onCall: () => watched.files?.look(),
    onShutdown: () => idle.leaveNow(),
    // Another connection to a store without its log would lose the events in that log.
    onStopped: () => (watched.isGone === true ? undefined : keepBackup(options)),
    outsideGraceMs: Math.min(options.idleMs, MAX_GRACE_MS),
  });
  for (const { id, killed, state } of runtime.recovered)
    options.log(
      `recovered ${id}: ${countThings(killed, "process", "processes")} ended, continues as ${state}`,
    );
  options.log(`listening on ${supervisorFiles(options.projectRoot).socket}`);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => idle.leaveNow());
  idle.watch(runtime);
  const stateDirectory = getStateDirectory(options.projectRoot);
  await keepSchemaCopy(stateDirectory, options.version).catch((error: unknown) =>
    options.log("the schema for editors could not be written", error),
  );
  const files = listOwnFiles(options.projectRoot, runtime);
  watched.files = watchOwnFiles(files, guardPlace(stateDirectory), (file) => {
    options.log(`${file} was removed or replaced: workers end, and their work is kept on their branches`);
    watched.isGone = true;
    runtime.leave();
    idle.leaveNow();
  });
  await idle.left;
  watched.files.end();
  // The runtime leaves before anything else happens: a command that comes now needs the next supervisor, not a closing
  // one.
  runtime.leave();
  options.log("leaving");
  await stopAll(runtime);
  await runtime.close();
}

/** The backup is for ambit doctor --repair. A supervisor also leaves if there is no room for it. */
function keepBackup({ projectRoot, log }: SupervisorOptions): void {
  try {
    const result = backUpStore(storeFile(projectRoot));
    if (result === "unsound") log("the store is not sound; its backup was not replaced");
    if (result === "another") log("the store began again; the backup of the one before was not replaced");
  } catch (error) {
    log("the store could not be backed up", error);
  }
}

/** Stops running stories and keeps their work; stories that wait for a person stay open. */
async function stopAll({ engine }: ProjectRuntime): Promise<void> {
  // Other machines continue without us; the next supervisor finds their results.
  if (engine.tools.elsewhere !== undefined) return;
  const why = { reason: "the supervisor was asked to leave", by: "supervisor" };
  const stories = await engine.tools.store.openStories(1000);
  const active = stories.filter((story) => engine.isBusy(story));
  await Promise.all(active.map((story) => engine.stop(story, why)));
}

/** Beyond this, `setTimeout` fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The command that started it connects within this time, even on a busy machine. */
const MIN_FIRST_WAIT_MS = 3000;

/** Decides when to exit: after some time without clients and without work, or at once on request. */
class IdleTimer {
  readonly #idleMs: number;
  #runtime: ProjectRuntime | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leave: () => void = () => undefined;
  readonly left: Promise<void>;

  constructor(idleMs: number) {
    this.#idleMs = Math.min(idleMs, MAX_TIMER_MS);
    this.left = new Promise((resolve) => (this.#leave = resolve));
  }

  watch(runtime: ProjectRuntime): void {
    this.#runtime = runtime;
    this.consider(Math.max(this.#idleMs, MIN_FIRST_WAIT_MS));
  }

  /** Starts the idle time again. Work that waits for a person does not keep the process alive. */
  consider(waitMs = this.#idleMs): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const runtime = this.#runtime;
      if (runtime === undefined || runtime.clients() > 0 || runtime.engine.isBusy()) this.consider();
      else this.#leave();
    }, waitMs);
  }

  leaveNow(): void {
    clearTimeout(this.#timer);
    this.#leave();
  }
}

interface OwnFilesWatch {
  /** Checks now instead of at the next tick. */
  look(): void;
  end(): void;
}

/**
 * The files without which this process would work where no command finds it, and the folders without which its workers
 * would lose the files that they work on. A store whose log is deleted is damaged by the next process that opens it.
 */
function listOwnFiles(projectRoot: string, { engine }: ProjectRuntime): () => readonly string[] {
  const { lock, owner } = supervisorFiles(projectRoot);
  const store = storeFile(projectRoot);
  const always = [lock, owner, store, `${store}-wal`, `${store}-shm`];
  const stateDirectory = getStateDirectory(projectRoot);
  return () => (engine.isBusy() ? [...always, ...listTreeFolders(stateDirectory)] : always);
}

/** Reports, once, the first of some files that was removed or replaced since it was first seen; until then, it heals. */
function watchOwnFiles(
  listFiles: () => readonly string[],
  heal: () => void,
  onGone: (file: string) => void,
): OwnFilesWatch {
  const first = new Map<string, string>();
  let isOver = false;
  const isGone = (file: string): boolean => {
    const [before, now] = [first.get(file), identifyFile(file)];
    if (before === undefined && now !== undefined) first.set(file, now);
    return before !== undefined && before !== now;
  };
  const end = (): void => {
    isOver = true;
    clearInterval(timer);
  };
  const look = (): void => {
    const files = isOver ? [] : listFiles();
    for (const file of first.keys()) if (!files.includes(file)) first.delete(file);
    const gone = files.find(isGone);
    if (gone === undefined && !isOver) heal();
    if (gone === undefined) return;
    end();
    onGone(gone);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  look();
  return { look, end };
}

function identifyFile(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  // The next file may get the inode of a deleted one.
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
