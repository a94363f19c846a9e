import type {
  Problem,
  Project,
  StoryList,
  StorySummary,
  StreamBatch,
  StreamEvent,
} from "../../../app/view-types.ts";
import { asProblem, ask, CallFailed } from "./calls.ts";
import { setServerTime } from "./clock.ts";
import { EventLine, type Connection } from "./event-line.ts";
import { setOutputs } from "./outputs.ts";
import { createStore } from "./store.ts";
import { touch } from "./touches.ts";

export interface LiveProject {
  readonly project: Project | undefined;
  readonly runs: ReadonlyMap<string, StorySummary>;
  /** Whether there are older ones. */
  readonly hasMore: boolean;
  readonly problem: Problem | undefined;
  readonly connection: Connection;
  /** Counters that rise when something of the kind may have changed. */
  readonly questions: number;
  readonly tasks: number;
  /** Number of the newest event received. */
  readonly seq: number;
}

export const liveProject = createStore<LiveProject>({
  project: undefined,
  runs: new Map(),
  hasMore: false,
  problem: undefined,
  connection: "connecting",
  questions: 0,
  tasks: 0,
  seq: 0,
});

/** The view that shows a story and follows its delegations; one at a time. */
export interface StoryListener {
  readonly story: string;
  /** Number of the newest event in what it has loaded. */
  readonly knownTo: number;
  readonly onBatches: (batches: readonly StreamBatch[]) => void;
  readonly onStale: () => void;
}

let line: EventLine | undefined;
let listener: StoryListener | undefined;
let counting: number | undefined;
let looking: number | undefined;
/** A hidden window does not listen, but its title keeps counting what waits for the person. */
const AWAY_LOOK_MS = 20_000;

/** Loads the project and listens from there on. */
export async function watchProject(): Promise<void> {
  line?.close();
  try {
    const project = await askProject();
    const list = await ask<StoryList>({ url: "/api/runs", fields: ["runs", "hasMore"] });
    setServerTime(project.nowMs);
    liveProject.set((known) => ({
      ...known,
      project,
      runs: new Map(list.runs.map((run) => [run.id, run])),
      hasMore: list.hasMore,
      problem: undefined,
      questions: known.questions + 1,
      tasks: known.tasks + 1,
      seq: project.seq,
    }));
    line = new EventLine({
      after: Math.min(project.seq, list.seq),
      onBatches: takeBatches,
      onConnection,
      onDriver,
      onOutput: setOutputs,
      onAway,
      onStale: () => {
        listener?.onStale();
        void watchProject();
      },
    });
    if (listener !== undefined) line.showNodesOf(listener.story, listener.knownTo);
  } catch (error) {
    liveProject.set((known) => ({ ...known, problem: asProblem(error) }));
  }
}

/** The windows of a browser share a few connections, so each window has one stream that includes the shown story. */
export function listenToStory(wanted: StoryListener): () => void {
  listener = wanted;
  line?.showNodesOf(wanted.story, wanted.knownTo);
  return () => {
    if (listener !== wanted) return;
    listener = undefined;
    line?.showNodesOf(null, Number.POSITIVE_INFINITY);
  };
}

/** A restarted server does not know this session, so trying again would never help. */
function onConnection(connection: Connection): void {
  liveProject.set((known) => ({ ...known, connection }));
  if (connection !== "lost") return;
  askProject().catch((error: unknown) => {
    if (!(error instanceof CallFailed) || error.status !== SIGNED_OUT) return;
    line?.close();
    liveProject.set((known) => ({ ...known, problem: error.problem }));
  });
}

const SIGNED_OUT = 401;

function onAway(isAway: boolean): void {
  window.clearInterval(looking);
  if (isAway) looking = window.setInterval(() => void countAll(), AWAY_LOOK_MS);
}

/** The figures of the header and the stories; the stream tells the rest when the window is looked at again. */
async function countAll(): Promise<void> {
  try {
    const project = await askProject();
    const { runs } = await ask<StoryList>({ url: "/api/runs", fields: ["runs", "hasMore"] });
    liveProject.set((known) => ({ ...known, project, runs: withRuns(known.runs, runs) }));
  } catch {
    // The next look may find the server again.
  }
}

function onDriver(isSupervised: boolean): void {
  standstill.set(() => !isSupervised);
  liveProject.set(({ project, ...known }) => ({
    ...known,
    project: project === undefined ? undefined : { ...project, isSupervised },
  }));
}

/** Whether open work is interrupted because no supervisor runs. On its own, because every row of a tree watches it. */
export const standstill = createStore(false);

/** Asks for twice as much history. */
export async function loadOlderRuns(): Promise<void> {
  const limit = Math.min(1000, Math.max(100, liveProject.get().runs.size * 2));
  const list = await ask<StoryList>({ url: `/api/runs?limit=${limit}`, fields: ["runs", "hasMore"] });
  liveProject.set((known) => ({
    ...known,
    runs: new Map(list.runs.map((run) => [run.id, run])),
    hasMore: list.hasMore,
  }));
}

function takeBatches(batches: readonly StreamBatch[]): void {
  const changed = batches.flatMap(({ runs }) => runs);
  const events = batches.flatMap((batch) => batch.events);
  liveProject.set((known) => ({
    ...known,
    runs: changed.length === 0 ? known.runs : withRuns(known.runs, changed),
    questions: known.questions + Number(events.some(isAboutQuestions)),
    tasks: known.tasks + Number(events.some(({ type }) => type.startsWith("task-"))),
    seq: batches.at(-1)?.to ?? known.seq,
  }));
  listener?.onBatches(batches);
  touch(events.map(({ about }) => about));
  if (changed.length > 0) countSoon();
}

/** A new story goes to the top; the others keep their places. */
function withRuns(known: LiveProject["runs"], changed: readonly StorySummary[]): LiveProject["runs"] {
  const fresh = changed.filter(({ id }) => !known.has(id)).map((run) => [run.id, run] as const);
  const runs = new Map([...new Map(fresh), ...known]);
  for (const run of changed) runs.set(run.id, run);
  return runs;
}

function isAboutQuestions({ type }: StreamEvent): boolean {
  return type.startsWith("approval-") || type === "delegation-closed" || type === "story-opened";
}

/** The figures in the header are sums over the whole project; once a second is often enough. */
function countSoon(): void {
  counting ??= window.setTimeout(() => {
    counting = undefined;
    askProject().then(
      (project) => liveProject.set((known) => ({ ...known, project })),
      () => {
        // The state of the event stream already shows that the server is away.
      },
    );
  }, 1000);
}

function askProject(): Promise<Project> {
  return ask<Project>({ url: "/api/project", fields: ["name", "seq", "nowMs", "working", "needsYou"] });
}
