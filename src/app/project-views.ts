import { basename } from "node:path";
import { telemetryProviders } from "../agents/agent-programs.ts";
import { systemClock } from "../base/clock.ts";
import { projectErrors } from "../errors/project.ts";
import { storeFile } from "../journal/store-file.ts";
import type { Delegation, StoreReader } from "../journal/store.ts";
import { getStateDirectory } from "../project/state-directory.ts";
import { MIN_SILENT_MS } from "../reports/story-totals.ts";
import { JournalMetrics } from "../telemetry/journal-metrics.ts";
import { writePrometheusText } from "../telemetry/prometheus-text.ts";
import type { AppContext } from "./project/app-context.ts";
import { findDriver } from "./project/find-driver.ts";
import { readWorkDiff, type WorkQuestion } from "./read-work-diff.ts";
import { readHealth } from "./read-health.ts";
import { adviseDraft, listDraftAgents, readStoryWork } from "./story-work.ts";
import type {
  AuditEvent,
  AuditPage,
  Board,
  ChainCheck,
  DelegationDetail,
  Diff,
  Figures,
  Health,
  Inbox,
  LogPage,
  Project,
  StoryAdvice,
  StoryCost,
  StoryDocument,
  StoryList,
  StoryWork,
  StreamBatch,
  Timeline,
  WorkerOutput,
} from "./view-types.ts";
import { describeEvents, readAuditEvent, readAuditPage, type AuditQuestion } from "./views/audit-page.ts";
import { readBoard } from "./views/board.ts";
import { checkChain } from "./views/chain-check.ts";
import { readDelegationDetail } from "./views/delegation-detail.ts";
import { readInbox } from "./views/inbox-entries.ts";
import { exportJournal, type ExportQuestion } from "./views/journal-export.ts";
import { LiveStories } from "./views/live-stories.ts";
import type { LiveStory } from "./views/live-story.ts";
import { readLogPage, readNewestOutput, streamLog, type LogQuestion } from "./views/log-page.ts";
import { countProject, readFigures } from "./views/project-figures.ts";
import { ProjectStore } from "./views/project-store.ts";
import { StoreWatch } from "./views/store-watch.ts";
import { buildStoryCost } from "./views/story-cost.ts";
import { buildStoryDocument, buildTimeline } from "./views/story-document.ts";
import { StorySummaries } from "./views/story-summaries.ts";
import { changedNodes, listRunning } from "./views/tree-nodes.ts";

export type { AuditQuestion, ExportQuestion, LogQuestion };

export interface ProjectViewsOptions {
  /** `directory` is the project's root. */
  readonly context: AppContext;
  /** `tasks.dir`. */
  readonly tasksDir: string;
}

/** Which events a listener wants. */
export interface StreamQuestion {
  /** Only the events of this story; those of the whole project where absent. */
  readonly story: string | undefined;
  /** The story whose changed nodes are described as well. */
  readonly nodes: string | undefined;
}

const MAX_BATCH = 500;
const MAX_OUTPUTS = 200;

/**
 * The read side of one project for a surface that stays open: the store, opened read-only, and what was computed from it
 * so far. It never writes and needs no supervisor.
 */
export class ProjectViews {
  readonly #context: AppContext;
  readonly #tasksDir: string;
  readonly #stateDirectory: string;
  readonly #store: ProjectStore;
  readonly #watch: StoreWatch;
  readonly #summaries = new StorySummaries();
  readonly #stories = new LiveStories();
  #metrics = { generation: 0, counted: new JournalMetrics(telemetryProviders) };

  constructor({ context, tasksDir }: ProjectViewsOptions) {
    this.#context = context;
    this.#tasksDir = tasksDir;
    this.#stateDirectory = getStateDirectory(context.directory);
    this.#store = new ProjectStore(storeFile(context.directory));
    this.#watch = new StoreWatch(this.#store.file);
  }

  nowMs(): number {
    return systemClock.wallMs();
  }

  async readProject(): Promise<Project> {
    const { directory, version } = this.#context;
    const counts = await countProject(this.#store.reader());
    const isSupervised = this.isSupervised();
    return { name: basename(directory), version, nowMs: this.nowMs(), isSupervised, ...counts };
  }

  isSupervised(): boolean {
    return findDriver(this.#context) !== undefined;
  }

  /** All figures of the project, as Prometheus reads them. */
  async readMetrics(): Promise<string> {
    const generation = this.generation();
    if (this.#metrics.generation !== generation)
      this.#metrics = { generation, counted: new JournalMetrics(telemetryProviders) };
    const facts = { nowMs: this.nowMs(), isDriven: this.isSupervised() };
    return writePrometheusText(await this.#metrics.counted.read(this.#store.reader(), facts));
  }

  /** Undefined before the first story. */
  async readFigures(): Promise<Figures | undefined> {
    const reader = this.#store.reader();
    return reader === undefined ? undefined : readFigures(reader);
  }

  listStories(limit: number): Promise<StoryList> {
    return this.#summaries.list(this.#store.reader(), limit);
  }

  async readStory(id: string): Promise<StoryDocument> {
    const { reader, story } = await this.#findStory(id);
    const [summary] = await this.#summaries.summarize(reader, [id]);
    if (summary === undefined) throw projectErrors.notInProject(`story ${id}`);
    return buildStoryDocument(story, summary, this.nowMs());
  }

  async readTimeline(id: string): Promise<Timeline> {
    const { story } = await this.#findStory(id);
    return buildTimeline(story, this.nowMs());
  }

  async readCost(id: string): Promise<StoryCost> {
    const { reader, story: live } = await this.#findStory(id);
    const story = await reader.story(id);
    if (story === undefined) throw projectErrors.notInProject(`story ${id}`);
    return buildStoryCost(live, { story, delegations: await reader.storyTree(id) }, this.nowMs());
  }

  async readDelegation(id: string): Promise<DelegationDetail> {
    const { reader, delegation } = await this.#findDelegation(id);
    const story = await this.#stories.readStory(reader, delegation.story, this.generation());
    const place = { stateDirectory: this.#stateDirectory, nowMs: this.nowMs() };
    const detail =
      story === undefined ? undefined : await readDelegationDetail(reader, { story, delegation, ...place });
    if (detail === undefined) throw projectErrors.notInProject(`delegation ${id}`);
    return detail;
  }

  async readLog(id: string, question: LogQuestion): Promise<LogPage> {
    const { delegation } = await this.#findDelegation(id);
    return readLogPage(this.#stateDirectory, delegation, question);
  }

  /** All that an attempt wrote, with credentials removed, one line of it after the other. */
  async downloadLog(id: string, question: LogQuestion): Promise<ReadableStream<Uint8Array>> {
    const { delegation } = await this.#findDelegation(id);
    return streamLog(this.#stateDirectory, delegation, question);
  }

  readHealth(): Promise<Health> {
    return readHealth(this.#context);
  }

  async readDiff({ id, ...attempts }: WorkQuestion): Promise<Diff> {
    const { delegation } = await this.#findDelegation(id);
    return readWorkDiff(this.#context, { id: delegation.id, ...attempts });
  }

  /** The newest output of the running workers of a story; a worker that writes nothing makes no events. */
  async readOutputs(story: string): Promise<readonly WorkerOutput[]> {
    const reader = this.#store.reader();
    const live =
      reader === undefined ? undefined : await this.#stories.readStory(reader, story, this.generation());
    const limits = (await reader?.story(story))?.limits;
    if (live === undefined || limits === undefined) return [];
    const silentAfterMs = Math.min(MIN_SILENT_MS, limits.idleWarnSeconds * 1000);
    return listRunning(live, MAX_OUTPUTS).flatMap(({ id, attempt }) => {
      const newest = readNewestOutput(this.#stateDirectory, { id, attempt });
      return newest === undefined ? [] : [{ id, ...newest, silentAfterMs }];
    });
  }

  async readStoryWork(id: string): Promise<StoryWork> {
    await this.#findStory(id);
    return readStoryWork(this.#context, id);
  }

  adviseDraft(json: string): Promise<StoryAdvice> {
    return adviseDraft(this.#context, json);
  }

  /** The agents that can work here, the default one first. */
  listAgents(): Promise<{ readonly agents: readonly string[] }> {
    return listDraftAgents(this.#context);
  }

  readInbox(): Promise<Inbox> {
    return readInbox({
      storeFile: this.#store.file,
      reader: this.#store.reader(),
      nowMs: this.nowMs(),
    });
  }

  readBoard(): Promise<Board> {
    const { directory: projectRoot, environment, homeDirectory } = this.#context;
    const host = { searchPath: environment["PATH"] ?? "/usr/bin:/bin", home: homeDirectory ?? "/" };
    return readBoard({ projectRoot, host, dir: this.#tasksDir, stateDirectory: this.#stateDirectory });
  }

  readAudit(question: AuditQuestion): Promise<AuditPage> {
    return readAuditPage(this.#store.reader(), question);
  }

  async readEvent(seq: number): Promise<AuditEvent> {
    const event = await readAuditEvent(this.#store.reader(), seq);
    if (event === undefined) throw projectErrors.notInProject(`event ${seq}`);
    return event;
  }

  verifyChain(): Promise<ChainCheck> {
    return checkChain(this.#store.reader());
  }

  exportJournal(question: ExportQuestion): ReadableStream<Uint8Array> {
    return exportJournal(this.#store.reader(), question);
  }

  /** Grows when another store takes the place of this one: event numbers start again from 1. */
  generation(): number {
    return this.#store.generation;
  }

  /** The number of the newest event; 0 before the first story. */
  async readHead(): Promise<number> {
    return (await this.#store.reader()?.head())?.seq ?? 0;
  }

  /** Resolves when the store may have changed, or after `maxMs`. */
  waitForChange(signal: AbortSignal, maxMs: number): Promise<void> {
    return this.#watch.changed(signal, maxMs);
  }

  /** Watches the store until the answer is called. */
  listen(): () => void {
    return this.#watch.listen();
  }

  /** The next events after a number, with the stories and nodes they changed; undefined if there are none. */
  async readBatch(
    after: number,
    { story: only, nodes: shown }: StreamQuestion,
  ): Promise<StreamBatch | undefined> {
    const reader = this.#store.reader();
    const page = await reader?.eventsAfter(after, MAX_BATCH, only === undefined ? {} : { story: only });
    if (reader === undefined || page === undefined || page.events.length === 0) return undefined;
    const events = describeEvents(page.events);
    const runs = await this.#summaries.summarize(reader, [...new Set(events.map(({ run }) => run))]);
    const touched = events.filter(({ run }) => run === shown).map(({ about }) => about);
    const story =
      shown === undefined || touched.length === 0
        ? undefined
        : await this.#stories.readStory(reader, shown, this.generation());
    const nodes = story === undefined ? [] : changedNodes(story, new Set(touched));
    return { from: after, to: page.cursor, nowMs: this.nowMs(), events, runs, nodes };
  }

  close(): void {
    this.#store.close();
  }

  async #findStory(id: string): Promise<{ readonly reader: StoreReader; readonly story: LiveStory }> {
    const reader = this.#store.reader();
    const story =
      reader === undefined ? undefined : await this.#stories.readStory(reader, id, this.generation());
    if (reader === undefined || story === undefined) throw projectErrors.notInProject(`story ${id}`);
    return { reader, story };
  }

  async #findDelegation(
    id: string,
  ): Promise<{ readonly reader: StoreReader; readonly delegation: Delegation }> {
    const reader = this.#store.reader();
    const delegation = await reader?.delegation(id);
    if (reader === undefined || delegation === undefined)
      throw projectErrors.notInProject(`delegation ${id}`);
    return { reader, delegation };
  }
}
