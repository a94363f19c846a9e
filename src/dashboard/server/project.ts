import { basename, join } from "node:path";
import type { AppContext } from "../../app/app-context.ts";
import { systemClock } from "../../base/clock.ts";
import { storeFile } from "../../journal/store-file.ts";
import type { StoredEvent, StoreReader } from "../../journal/store.ts";
import { buildPerformance } from "../../reports/performance.ts";
import { connectSupervisor } from "../../supervisor/client.ts";
import type { EnsureOptions } from "../../supervisor/ensure-supervisor.ts";
import { supervisorFiles } from "../../supervisor/supervisor-files.ts";
import type { GitHost } from "../../workspace/repository.ts";
import { streamEvents } from "../documents/audit.ts";
import { changedNodes } from "../documents/run-node.ts";
import { RunSummaries } from "../documents/runs.ts";
import type { StreamQuestion, StreamSource } from "../live/event-stream.ts";
import { ProjectStore } from "../live/project-store.ts";
import type { RunView } from "../live/run-view.ts";
import { RunViews } from "../live/run-views.ts";
import { StoreWatch } from "../live/store-watch.ts";
import type { Figures, Project, StreamBatch } from "../wire.ts";

export interface ProjectOptions {
  readonly supervisor: EnsureOptions;
  readonly host: GitHost;
  /** `tasks.dir`. */
  readonly tasksDir: string;
}

/** What the dashboard knows of its project: the store, read only, and what it has made of it so far. */
export class ProjectReader implements StreamSource {
  readonly options: ProjectOptions;
  readonly stateDirectory: string;
  readonly summaries = new RunSummaries();
  readonly #store: ProjectStore;
  readonly #watch: StoreWatch;
  readonly #views = new RunViews();

  constructor(options: ProjectOptions) {
    this.options = options;
    const { projectRoot } = options.supervisor;
    this.stateDirectory = join(projectRoot, ".ambit", "state");
    this.#store = new ProjectStore(storeFile(projectRoot));
    this.#watch = new StoreWatch(storeFile(projectRoot));
  }

  get storeFile(): string {
    return this.#store.file;
  }

  reader(): StoreReader | undefined {
    return this.#store.reader();
  }

  generation(): number {
    return this.#store.generation;
  }

  changed(signal: AbortSignal, mostMs: number): Promise<void> {
    return this.#watch.changed(signal, mostMs);
  }

  listen(): () => void {
    return this.#watch.listen();
  }

  nowMs(): number {
    return systemClock.wallMs();
  }

  get context(): AppContext {
    const { projectRoot: directory, version, environment, program } = this.options.supervisor;
    const { searchPath, home: homeDirectory } = this.options.host;
    return {
      directory,
      version,
      environment: { ...environment, PATH: searchPath },
      homeDirectory,
      configFile: undefined,
      // Without the word that makes it a supervisor.
      program: program.slice(0, -1),
      progress: () => undefined,
      warn: () => undefined,
    };
  }

  async view(story: string): Promise<RunView | undefined> {
    const reader = this.reader();
    return reader === undefined ? undefined : this.#views.get(reader, story, this.generation());
  }

  async describe(
    reader: StoreReader,
    events: readonly StoredEvent[],
    { nodes: shown }: StreamQuestion,
  ): Promise<Pick<StreamBatch, "events" | "runs" | "nodes">> {
    const told = streamEvents(events);
    const runs = await this.summaries.of(reader, [...new Set(told.map((event) => event.run))]);
    const touched = told.filter((event) => event.run === shown).map(({ about }) => about);
    const view = shown === undefined || touched.length === 0 ? undefined : await this.view(shown);
    const nodes = view === undefined ? [] : changedNodes(view, new Set(touched));
    return { events: told, runs, nodes };
  }

  async project(): Promise<Project> {
    const reader = this.reader();
    const { projectRoot, version } = this.options.supervisor;
    const totals = await reader?.totals();
    return {
      name: basename(projectRoot),
      version,
      seq: (await reader?.head())?.seq ?? 0,
      nowMs: this.nowMs(),
      isSupervised: await this.#isSupervised(),
      working: totals?.running ?? 0,
      needsYou: ((await reader?.openApprovals(MOST_COUNTED)) ?? []).length,
      microUsd: (totals?.microUsd ?? 0) + (reader === undefined ? 0 : await ownUseOfStories(reader)),
    };
  }

  async figures(): Promise<Figures | undefined> {
    const reader = this.reader();
    if (reader === undefined) return undefined;
    const [totals, completed] = [await reader.totals(), await reader.completedSums()];
    const figures = buildPerformance({ totals, completed, cycleCheckMs: null });
    return {
      seq: (await reader.head()).seq,
      delegations: figures.total_delegations,
      completed: figures.completed,
      failed: figures.failed,
      running: figures.running,
      waiting: figures.waiting,
      refused: totals.refused,
      successRate: figures.success_rate,
      medianMs: figures.median_duration_ms,
      p95Ms: figures.p95_duration_ms,
      microUsd: totals.microUsd,
      parallelEfficiency: figures.parallel_efficiency,
      maxDepthSeen: totals.maxDepthSeen,
    };
  }

  close(): void {
    this.#store.close();
  }

  /** One of another version is there too, even where it does not speak with us. */
  async #isSupervised(): Promise<boolean> {
    const { projectRoot, version } = this.options.supervisor;
    try {
      const client = await connectSupervisor(supervisorFiles(projectRoot).socket, version);
      client?.close();
      return client !== undefined;
    } catch {
      // It answered, with another version: then there is one.
      return true;
    }
  }
}

const MOST_COUNTED = 1000;

/** Totals count what was delegated; the stories' own use comes on top. */
async function ownUseOfStories(reader: StoreReader): Promise<number> {
  let microUsd = 0;
  for (const { id } of await reader.stories(MOST_COUNTED))
    microUsd += (await reader.delegation(id))?.microUsd ?? 0;
  return microUsd;
}
