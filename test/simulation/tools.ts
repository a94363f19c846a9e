import { ContextMeter } from "../../src/orchestrator/ports/context-meter.ts";
import { join } from "node:path";
import { createAdapterFinder } from "../../src/agents/find-adapter.ts";
import type { Store } from "../../src/journal/store.ts";
import type { GitTools } from "../../src/orchestrator/ports/git-tools.ts";
import type { ProcessTools } from "../../src/orchestrator/ports/process-tools.ts";
import type { OriginTools, RunSettings, RunTools } from "../../src/orchestrator/ports/run-tools.ts";
import type { WorkPlace } from "../../src/orchestrator/ports/work-place.ts";
import type { WorkflowTools } from "../../src/orchestrator/ports/workflow-tools.ts";
import type { Delegation } from "../../src/journal/store.ts";
import type { ChangedFile } from "../../src/workspace/scope.ts";
import { checkRunner, type CheckStage } from "./checks.ts";
import { gitError, type ModelGit } from "./model-git.ts";
import type { ModelPlace, ModelPlaces } from "./model-places.ts";
import type { ModelProcesses } from "./model-processes.ts";
import type { Call, World } from "./world.ts";

/** Everything outside the runtime, in one place. It lives on when the runtime dies. */
export interface Stage extends CheckStage {
  readonly world: World;
  readonly store: Store;
  readonly git: ModelGit;
  readonly places: ModelPlaces;
  readonly processes: ModelProcesses;
  readonly stateDirectory: string;
  readonly settings: (story: string | undefined) => RunSettings;
  /** What was checked out for checks, by folder. */
  readonly candidates: Map<string, string>;
  readonly judges: Judges;
}

/** Those who look on at each effect. */
export interface Judges {
  readonly beginning: (delegation: string) => void;
  readonly launching: (delegation: string) => void;
  /** The last moment in which somebody else can move it. */
  readonly beforeMove: (ref: string) => void;
  readonly moved: (move: { readonly ref: string; readonly from: string | null; readonly to: string }) => void;
  readonly overwriting: (place: ModelPlace, how: string) => void;
}

/** Agents by name; each is driven the same way, only what they can repair differs. */
export const agentNames = ["ada", "bob", "cleo", "dan", "eve", "fay"] as const;

/** `scripted` takes a second try at its return, `command` does not. */
const findAdapter = createAdapterFinder(["sim"]);

/** The tools of one life of the runtime: whatever they are asked for takes a step of the world, or never happens. */
export function makeTools(stage: Stage, call: Call): RunTools {
  const { world, stateDirectory, judges } = stage;
  const environment = { PATH: "/usr/bin:/bin" };
  const ofOrigin: OriginTools = {
    settings: async (source) => stage.settings(source?.story?.id),
    findAgent: async (name) => {
      if (!agentNames.some((known) => known === name)) return undefined;
      const adapter = name < "d" ? "scripted" : "command";
      const empty = { description: "", command: ["sim"], model: undefined, isolation: undefined };
      return { ...empty, name, adapter, instructions: "", file: `${name}.md` };
    },
    listAgents: async () => [],
    workflow: noWorkflows,
  };
  return {
    store: storePort(stage.store, call, judges),
    git: gitPort(stage, troubled(world, call)),
    processes: processPort(stage, troubled(world, call)),
    clock: world.time,
    stateDirectory,
    owner: `runtime ${world.generation}`,
    ...ofOrigin,
    slots: async () => stage.settings(undefined).limits.maxConcurrent,
    findAdapter,
    atOrigin: async () => ofOrigin,
    environment,
    origins: {
      keep: () => undefined,
      read: () => ({ environment, checkout: "/", variables: { pass: [], set: {} } }),
      forget: () => undefined,
      forgetOthers: () => undefined,
    },
    contexts: new ContextMeter(),
    socket: join(stateDirectory, "socket"),
    program: ["ambit"],
    watch: () => undefined,
  };
}

const refuseCall = (): Promise<never> => Promise.reject(new TypeError("the simulation runs stories only"));

const noWorkflows: WorkflowTools = {
  projectRoot: "/",
  settings: refuseCall,
  tasks: refuseCall,
  readCommand: refuseCall,
  readFile: refuseCall,
  readHeadFile: refuseCall,
  replaceFile: refuseCall,
  commitPaths: refuseCall,
  snapshotWithout: refuseCall,
};

export const TROUBLE = "SIMULATED_TROUBLE";

/** Ends of what has begun: there the real ones clean up before they say that they failed. */
const cannotFail: ReadonlySet<string> = new Set(["check-ends", "completePlace"]);

/** A full disk, a missing tool, a killed git: whatever the reason, it is said and nothing was done. */
function troubled(world: World, call: Call): Call {
  return (label, effect) =>
    call(label, () => {
      if (!cannotFail.has(label.split(" ")[0] ?? "") && world.fails())
        throw gitError(TROUBLE, `${label} failed`);
      return effect();
    });
}

function storePort(store: Store, call: Call, judges: Judges): Store {
  return {
    openStory: (story) => call(`openStory ${story.id}`, () => store.openStory(story)),
    admit: (batch) => call(`admit ${batch.requests.length} for ${batch.parent}`, () => store.admit(batch)),
    begin: (id, attempt, lease) =>
      call(`begin ${id} ${attempt}`, () => {
        judges.beginning(id);
        return store.begin(id, attempt, lease);
      }),
    heartbeat: (id, attempt, leaseMs) => call(`heartbeat ${id}`, () => store.heartbeat(id, attempt, leaseMs)),
    spend: (id, attempt, usage) =>
      call(`spend ${id} ${usage.microUsd}`, () => store.spend(id, attempt, usage)),
    record: (event, speaker) =>
      call(`record ${event.type} ${event.delegation ?? ""} ${event.attempt}`, () =>
        store.record(event, speaker),
      ),
    rejoin: (id, attempt, lease) => call(`rejoin ${id}`, () => store.rejoin(id, attempt, lease)),
    requestCancel: (id, wish) => call(`requestCancel ${id}`, () => store.requestCancel(id, wish)),
    settle: (id, attempt, settlement) =>
      call(`settle ${id} ${attempt} ${settlement.outcome}`, () => store.settle(id, attempt, settlement)),
    requeueLost: () => call("requeueLost", () => store.requeueLost()),
    onEvent: (listener) => store.onEvent(listener),
    eventsAfter: (...query) => call("read events", () => store.eventsAfter(...query)),
    newestEvents: (...query) => call("read newest", () => store.newestEvents(...query)),
    head: () => call("read head", () => store.head()),
    story: (id) => call(`read story ${id}`, () => store.story(id)),
    stories: (limit) => call("read stories", () => store.stories(limit)),
    storyIds: (query) => call("read ids", () => store.storyIds(query)),
    delegation: (id) => call(`read ${id}`, () => store.delegation(id)),
    delegationIds: (query) => call("read ids", () => store.delegationIds(query)),
    othersInStory: (self, limit) => call(`read others of ${self.id}`, () => store.othersInStory(self, limit)),
    provenInStory: (id, also) => call(`read proven ${id}`, () => store.provenInStory(id, also)),
    hasSandboxedWork: (id) => call(`read sandboxed ${id}`, () => store.hasSandboxedWork(id)),
    storyTree: (id) => call(`read tree ${id}`, () => store.storyTree(id)),
    storyOutline: (id) => call(`read outline ${id}`, () => store.storyOutline(id)),
    openDelegations: (limit) => call("read open", () => store.openDelegations(limit)),
    closedWithWorkspace: (limit) => call("read places", () => store.closedWithWorkspace(limit)),
    openStories: (limit) => call("read stories", () => store.openStories(limit)),
    approvalsOf: (id) => call(`read approvals ${id}`, () => store.approvalsOf(id)),
    openApprovals: (limit) => call("read approvals", () => store.openApprovals(limit)),
    totals: () => call("read totals", () => store.totals()),
    completedSums: () => call("read sums", () => store.completedSums()),
    storyUse: (id) => call(`read use of ${id}`, () => store.storyUse(id)),
    workerTotals: () => call("read totals", () => store.workerTotals()),
    messages: (query) => call("read messages", () => store.messages(query)),
    message: (id) => call(`read message ${id}`, () => store.message(id)),
    todos: (query) => call("read todos", () => store.todos(query)),
    task: (id) => call(`read task ${id}`, () => store.task(id)),
    tasks: (limit) => call("read tasks", () => store.tasks(limit)),
    close: () => Promise.resolve(),
  };
}

function gitPort(stage: Stage, call: Call): GitTools {
  const { git, places, judges, candidates } = stage;
  return {
    inspect: async () => ({ refusal: undefined, notes: [], missing: [] }),
    snapshot: (id) =>
      call(`snapshot ${id}`, () => {
        const commit = git.refs.get("refs/heads/main") ?? "";
        git.refs.set(`refs/ambit/base/${id}`, commit);
        return {
          commit,
          hasUncommittedWork: false,
          start: { head: commit, changed: 0, untracked: 0, leftOut: [] },
        };
      }),
    readOutside: () => Promise.resolve(new Map()),
    requireRoom: () => undefined,
    foldRefs: () => Promise.resolve(),
    isDiskFull: () => false,
    makePlace: async ({ id, base }) => {
      await call(`makePlace ${id} begins`, () => places.begin(id, base));
      return call(`completePlace ${id}`, () => placePort(stage, call, places.complete(id)));
    },
    findPlace: (delegation) => call(`read place ${delegation.id}`, () => findPlace(stage, call, delegation)),
    endImports: () => undefined,
    hurryImports: () => undefined,
    allowImports: () => undefined,
    tidy: () => call("tidy", () => places.dropHalfMade()),
    readBranch: (ref) => call(`read ${ref}`, () => git.refs.get(ref) ?? null),
    contains: (commit, ancestor) => call("read contains", () => git.contains(commit, ancestor)),
    merge: (ours, theirs) =>
      call("merge", () => {
        const { files, conflicts } = git.merge(ours, theirs);
        const tree = git.tree(files);
        return conflicts.length === 0
          ? { status: "clean", tree }
          : { status: "conflict", files: conflicts, tree };
      }),
    commit: (request) => call("commit", () => git.commit(request)),
    treeOf: (commit) => call("read tree", () => git.read(commit).tree),
    moveBranch: (move) =>
      call(`moveBranch ${move.ref}`, () => {
        judges.beforeMove(move.ref);
        const answer = git.moveRef(move);
        if (answer === "moved") judges.moved(move);
        return answer;
      }),
    checkOut: ({ id, commit }) =>
      call(`checkOut ${id}`, () => {
        const path = `/candidates/${candidates.size + 1}`;
        candidates.set(path, git.read(commit).tree);
        const release = (): Promise<void> => call("release checkout", () => void candidates.set(path, ""));
        return { path, environment: {}, wasLeftAlone: () => Promise.resolve(true), release };
      }),
    judgeScope: ({ base, tip, fileScope }) =>
      call("read scope", () => {
        const changed = git.changes(base, tip);
        const outsideScope =
          fileScope.length === 0 ? [] : changed.filter((path) => !isInside(path, fileScope));
        const sensitive = changed
          .filter((path) => path.startsWith(".github/"))
          .map((path) => ({ path, reason: "continuous-integration" as const }));
        const isClear = outsideScope.length === 0 && sensitive.length === 0;
        const filesChanged = changed.map(changedFile);
        return { filesChanged, outsideScope, sensitive, modes: [], twins: [], gitNames: [], isClear };
      }),
    explainFailure: () => Promise.resolve([]),
    findMarkers: (commit, paths) =>
      call("read markers", () =>
        paths.filter((path) => git.filesOf(commit).get(path)?.startsWith("<<<") === true),
      ),
    probeFiles: (commit, paths) =>
      call("read files", () => {
        const files = git.filesOf(commit);
        return new Map(paths.filter((path) => files.has(path)).map((path) => [path, "file"] as const));
      }),
    readFile: (commit, path) =>
      call("read a file", () => {
        const text = git.filesOf(commit).get(path);
        return text === undefined ? undefined : Buffer.from(text);
      }),
  };
}

function changedFile(path: string): ChangedFile {
  const modes = { oldMode: "100644", newMode: "100644", oldId: "", newId: "" };
  return { path, bytes: Buffer.from(path), kind: "changed", ...modes };
}

/** `goals/**` and plain paths are all the scopes there are. */
function isInside(path: string, scope: readonly string[]): boolean {
  return scope.some((glob) => (glob.endsWith("/**") ? path.startsWith(glob.slice(0, -2)) : path === glob));
}

/** As the real one: by what is there, and an error when the journal says there must be one. */
function findPlace(stage: Stage, call: Call, { id, workspace }: Delegation): WorkPlace | undefined {
  const place = stage.places.find(id);
  if (place !== undefined) return placePort(stage, call, place);
  if (workspace === null) return undefined;
  throw gitError("WORKSPACE_GONE", `The workspace ${workspace.path} of ${id} is no longer there`);
}

function placePort(stage: Stage, call: Call, place: ModelPlace): WorkPlace {
  const { places, git, judges } = stage;
  const { id, path, base } = place;
  const advance = async (to: string): Promise<void> => {
    await call(`advance ${id} begins`, () => {
      judges.overwriting(place, "advance");
      places.beginAdvance(id, to);
    });
    await call(`advance ${id}`, () => places.finishAdvance(id));
  };
  return {
    isolation: "worktree",
    path,
    branch: `delegation/${id}`,
    base,
    tookMs: 0,
    environment: {},
    writable: [],
    outbox: undefined,
    placeCommand: (command) => Promise.resolve(command),
    keepWork: (message) => call(`keepWork ${id}`, () => places.keepWork(id, message)),
    advance,
    showMerge: async (parents, tree) =>
      advance(git.commit({ tree, parents, message: "Both sides, with conflict markers\n" })),
    release: async (keepBranch) => {
      const isGone = await call(`release ${id} begins`, () => {
        judges.overwriting(place, "release");
        return places.discard(id);
      });
      if (isGone && !keepBranch) await call(`release ${id}`, () => places.dropBranch(id));
      return isGone;
    },
  };
}

function processPort(stage: Stage, call: Call): ProcessTools {
  return {
    launch: (spec) => {
      const id = stage.places.byPath(spec.cwd)?.id ?? "";
      return call(`launch ${id}`, () => {
        stage.judges.launching(id);
        return stage.processes.launch(spec, id);
      });
    },
    runChecks: checkRunner(stage, call),
    reap: (run) => call(`reap ${run.runId}`, () => stage.processes.reap(run.runId)),
  };
}
