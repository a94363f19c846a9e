import { join } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import { recordEvent } from "../delegation/record.ts";
import { pickStoryTools, readVariables } from "../delegation/story-tools.ts";
import type { BaseChecks } from "../ports/base-checks.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { BaseCache, type BaseFinding, type BaseKey } from "./base-cache.ts";
import { needsSandbox, readCheckTrust } from "./check-trust.ts";
import { pickCheckTools, runChecksOnCommit } from "./run-on-commit.ts";
import { SharedRuns } from "./shared-runs.ts";
import { tellCheck } from "./tell-check.ts";

/** Checks the trees that work starts from, each check once per tree and recipe, for all work that starts from it. */
export class SharedBaseChecks implements BaseChecks {
  readonly #tools: RunTools;
  readonly #recipe: (story: string) => Promise<string>;
  readonly #cache: BaseCache;
  readonly #runs = new SharedRuns();
  /** The callbacks that wait for a run, by delegation. */
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(tools: RunTools, recipe: (story: string) => Promise<string>) {
    this.#tools = tools;
    this.#recipe = recipe;
    this.#cache = new BaseCache(tools.stateDirectory, () => tools.clock.wallMs());
  }

  readonly begin: BaseChecks["begin"] = async (delegation, base) => {
    const { id, work } = delegation;
    const wanted = await this.#find(delegation, { commit: base, criteria: work?.criteria ?? [] });
    const open = wanted.filter(({ found }) => found === undefined);
    const missing = this.#runs.join(id, open.map(nameKey));
    const own = open.filter((one) => missing.includes(nameKey(one)));
    if (own.length > 0)
      this.#runs.start(id, missing, (signal) => this.#run(delegation, { base, own, signal }));
    const joined = open.filter((one) => !own.includes(one));
    if (open.length > 0) this.#waiting.set(id, this.#tellLater(delegation, joined));
    for (const { criterion, found } of wanted)
      if (found !== undefined) await this.#tell(delegation, criterion, found);
  };

  readonly results: BaseChecks["results"] = async (delegation, place) => {
    const wanted = await this.#find(delegation, place);
    return wanted.flatMap(({ criterion, found }) =>
      found === undefined ? [] : [buildResult(criterion, found)],
    );
  };

  readonly keep: BaseChecks["keep"] = async (delegation, { commit, results }) => {
    const wanted = await this.#find(delegation, {
      commit,
      criteria: results.map(({ criterion }) => criterion),
    });
    for (const { criterion, key } of wanted) {
      const result = results.find((one) => one.criterion === criterion);
      const finding = result === undefined ? undefined : readFinding(result);
      if (finding !== undefined) this.#cache.write(key, finding);
    }
  };

  readonly wait: BaseChecks["wait"] = async ({ id }, maxMs) => {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([waiting, late]).finally(() => clearTimeout(timer));
  };

  readonly stop: BaseChecks["stop"] = (id) => {
    this.#waiting.delete(id);
    this.#runs.leave(id);
  };

  readonly stopAll: BaseChecks["stopAll"] = async () => {
    await this.#runs.stopAll();
    await Promise.all(this.#waiting.values());
  };

  /** The commands of these criteria and their known results on the tree of a commit. */
  async #find(delegation: Delegation, { commit, criteria }: Place): Promise<readonly Wanted[]> {
    const commands = criteria.filter((one) => readCommand(one) !== "");
    if (commands.length === 0) return [];
    const tools = await pickStoryTools(this.#tools, delegation.story);
    if (!(await tools.settings()).checks.base) return [];
    const [tree, recipe, trust] = await Promise.all([
      tools.git.treeOf(commit),
      this.#readRecipe(tools, delegation),
      readCheckTrust(tools, delegation),
    ]);
    return commands.map((criterion) => {
      const isFromWorker = needsSandbox(criterion, { ...trust, holdsSandboxedWork: false });
      const place = isFromWorker ? JSON.stringify(trust.sandbox) : "";
      const key = { tree, check: readCommand(criterion), recipe: `${recipe}\0${place}` };
      return { criterion, key, found: this.#cache.read(key) };
    });
  }

  /** The variables of the story's shell decide, too, for example which programs PATH leads to. */
  async #readRecipe(tools: RunTools, { story }: Delegation): Promise<string> {
    const { commands, services } = await tools.settings();
    const work = (await tools.store.delegation(story))?.work;
    const { environment, pass, set } = await readVariables(tools, story);
    const values = ["PATH", ...pass].map((name) => `${name}=${environment[name] ?? ""}`);
    const where = [work?.isolation ?? "", String(work?.network ?? ""), JSON.stringify(services)];
    return [await this.#recipe(story), ...commands, ...where, ...values, JSON.stringify(set)].join("\0");
  }

  /** If the result on the base is unknown, it is left out and the work is judged without it. */
  #run(delegation: Delegation, run: BaseRun): Promise<void> {
    return this.#check(delegation, run).catch(() => undefined);
  }

  async #check(delegation: Delegation, { base, own, signal }: BaseRun): Promise<void> {
    const { id, story, executionId, timeoutSeconds } = delegation;
    const tools = await pickStoryTools(this.#tools, story);
    const { checks } = await tools.settings();
    const results = await runChecksOnCommit(await pickCheckTools(tools, story), {
      id: `${id}-base`,
      commit: base,
      isBase: true,
      criteria: own.map(({ criterion }) => criterion),
      trust: await readCheckTrust(tools, delegation),
      changedFiles: [],
      signal,
      logDirectory: join(tools.stateDirectory, "logs", id, "base"),
      runId: `${executionId}-base`,
      checks: { ...checks, retries: 0 },
      timeoutMs: timeoutSeconds * 1000,
      // The run may continue for other delegations when this one has ended.
      onCheck: async (notice) => {
        if (this.#waiting.has(id)) await tellCheck(tools, { delegation, on: "base" }, notice);
      },
      onRun: (run) => noteCheckRun(tools.stateDirectory, delegation, run),
    });
    if (signal.aborted) return;
    for (const result of results) {
      const key = own.find(({ criterion }) => criterion === result.criterion)?.key;
      const finding = readFinding(result);
      if (key !== undefined && finding !== undefined) this.#cache.write(key, finding);
    }
  }

  /** The run is in the journal of the delegation that started it; the others have its results in their journals. */
  async #tellLater(delegation: Delegation, joined: readonly Wanted[]): Promise<void> {
    try {
      await this.#runs.whenEnded(delegation.id);
      for (const { criterion, key } of joined) {
        const found = this.#cache.read(key);
        if (found !== undefined && this.#waiting.has(delegation.id))
          await this.#tell(delegation, criterion, found);
      }
    } catch {
      // The store was closed meanwhile: its results are in the cache.
    } finally {
      this.#waiting.delete(delegation.id);
    }
  }

  async #tell(delegation: Delegation, criterion: Criterion, found: BaseFinding): Promise<void> {
    const about = { check: readCommand(criterion), criteria: [criterion.id] };
    const { verdict, evidence, failing, hints = [] } = found;
    const known = {
      verdict,
      evidence,
      failing: [...failing],
      ...(hints.length === 0 ? {} : { hints: [...hints] }),
    };
    const data = { ...about, ...known, on: "base" as const, durationMs: 0 };
    await recordEvent(this.#tools, delegation, { type: "check-ended", data });
  }
}

interface Place {
  readonly commit: string;
  readonly criteria: readonly Criterion[];
}

interface BaseRun {
  readonly base: string;
  readonly own: readonly Wanted[];
  readonly signal: AbortSignal;
}

interface Wanted {
  readonly criterion: Criterion;
  readonly key: BaseKey;
  readonly found: BaseFinding | undefined;
}

function nameKey({ key: { tree, check, recipe } }: Wanted): string {
  return [tree, check, recipe].join("\0");
}

/** The command of a criterion; empty if it has none. */
function readCommand({ check }: Criterion): string {
  return check !== undefined && "command" in check ? check.command.trim() : "";
}

/** Keeps only results of the command itself: a limit, a stop or chance says nothing about the tree. */
function readFinding({
  verdict,
  code,
  evidence,
  proof,
  isFlaky,
  hints = [],
}: CheckResult): BaseFinding | undefined {
  const failing = proof?.kind === "command" ? (proof.failing ?? []) : [];
  if (isFlaky === true) return undefined;
  if (verdict === "passed") return { verdict, evidence, failing: [] };
  return verdict === "failed" && code === "CHECK_FAILED" ? { verdict, evidence, failing, hints } : undefined;
}

function buildResult(criterion: Criterion, { verdict, evidence, failing }: BaseFinding): CheckResult {
  const ended = {
    exit_code: verdict === "passed" ? 0 : 1,
    signal: null,
    duration_ms: 0,
    output: "",
    log: null,
  };
  const command = readCommand(criterion);
  const proof = { kind: "command" as const, command, ...ended, failing: [...failing] };
  return { criterion, verdict, code: verdict === "passed" ? null : "CHECK_FAILED", evidence, proof };
}
