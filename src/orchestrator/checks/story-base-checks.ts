import { join } from "node:path";
import type { Criterion } from "../../contract/task.ts";
import type { Delegation } from "../../journal/store.ts";
import type { CheckResult } from "../../verification/run-checks.ts";
import { noteCheckRun } from "../delegation/attempt-files.ts";
import { recordEvent } from "../delegation/record.ts";
import { readVariables } from "../delegation/story-tools.ts";
import type { BaseChecks } from "../ports/base-checks.ts";
import type { RunTools } from "../ports/run-tools.ts";
import { BaseCache, type BaseFinding, type BaseKey } from "./base-cache.ts";
import { readCheckTrust } from "./check-trust.ts";
import { pickCheckTools, runChecksOnCommit } from "./run-on-commit.ts";
import { tellCheck } from "./tell-check.ts";

/** Checks the base of stories, each check once per tree and recipe. */
export class StoryBaseChecks implements BaseChecks {
  readonly #tools: RunTools;
  readonly #recipe: (story: string) => Promise<string>;
  readonly #cache: BaseCache;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #aborts = new Map<string, AbortController>();

  constructor(tools: RunTools, recipe: (story: string) => Promise<string>) {
    this.#tools = tools;
    this.#recipe = recipe;
    this.#cache = new BaseCache(tools.stateDirectory, () => tools.clock.wallMs());
  }

  readonly begin: BaseChecks["begin"] = async (delegation, base) => {
    const wanted = await this.#find(delegation, base);
    for (const { criterion, found } of wanted)
      if (found !== undefined) await this.#tell(delegation, criterion, found);
    const missing = wanted.filter(({ found }) => found === undefined).map(({ criterion }) => criterion);
    if (missing.length > 0) void this.#run(delegation, base, missing);
  };

  readonly results: BaseChecks["results"] = async (delegation, base) => {
    const wanted = await this.#find(delegation, base);
    return wanted.flatMap(({ criterion, found }) =>
      found === undefined ? [] : [toResult(criterion, found)],
    );
  };

  readonly wait: BaseChecks["wait"] = async (delegation, maxMs) => {
    const running = this.#running.get(delegation.story);
    if (running === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([running, late]).finally(() => clearTimeout(timer));
  };

  readonly stop: BaseChecks["stop"] = (story) => {
    this.#aborts.get(story)?.abort();
  };

  readonly stopAll: BaseChecks["stopAll"] = async () => {
    for (const abort of this.#aborts.values()) abort.abort();
    await Promise.all(this.#running.values());
  };

  /** The commands of a delegation and what is known of them. */
  async #find(delegation: Delegation, base: string): Promise<readonly Wanted[]> {
    const criteria = (delegation.work?.criteria ?? []).filter(hasCommand);
    if (criteria.length === 0) return [];
    const [tree, recipe] = await Promise.all([this.#tools.git.treeOf(base), this.#readRecipe(delegation)]);
    return criteria.map((criterion) => {
      const key = { tree, recipe, check: readCommand(criterion) };
      return { criterion, key, found: this.#cache.read(key) };
    });
  }

  /** The variables of the story's shell decide, too, for example which programs PATH leads to. */
  async #readRecipe({ story, work }: Delegation): Promise<string> {
    const { commands, services } = await this.#tools.settings();
    const { environment, pass, set } = await readVariables(this.#tools, story);
    const values = ["PATH", ...pass].map((name) => `${name}=${environment[name] ?? ""}`);
    const where = [work?.isolation ?? "", String(work?.network ?? ""), JSON.stringify(services)];
    return [await this.#recipe(story), ...commands, ...where, ...values, JSON.stringify(set)].join("\0");
  }

  #run(delegation: Delegation, base: string, criteria: readonly Criterion[]): Promise<unknown> {
    const { story } = delegation;
    const abort = new AbortController();
    this.#aborts.set(story, abort);
    // What is not known about the base is left out; the work is judged without it.
    const running = this.#check(delegation, { base, criteria, signal: abort.signal })
      .catch(() => undefined)
      .finally(() => {
        this.#running.delete(story);
        this.#aborts.delete(story);
      });
    this.#running.set(story, running);
    return running;
  }

  async #check(delegation: Delegation, { base, criteria, signal }: BaseRun): Promise<void> {
    const tools = this.#tools;
    const { id, executionId, timeoutSeconds } = delegation;
    const { checks } = await tools.settings();
    const results = await runChecksOnCommit(await pickCheckTools(tools, delegation.story), {
      id: `${id}-base`,
      commit: base,
      isBase: true,
      criteria,
      trust: await readCheckTrust(tools, delegation),
      changedFiles: [],
      signal,
      logDirectory: join(tools.stateDirectory, "logs", id, "base"),
      runId: `${executionId}-base`,
      checks: { ...checks, retries: 0 },
      timeoutMs: timeoutSeconds * 1000,
      onCheck: (notice) => tellCheck(tools, { delegation, on: "base" }, notice),
      onRun: (run) => noteCheckRun(tools.stateDirectory, delegation, run),
    });
    if (signal.aborted) return;
    const wanted = await this.#find(delegation, base);
    for (const result of results) {
      const key = wanted.find(({ criterion }) => criterion === result.criterion)?.key;
      const finding = readFinding(result);
      if (key !== undefined && finding !== undefined) this.#cache.write(key, finding);
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

interface BaseRun {
  readonly base: string;
  readonly criteria: readonly Criterion[];
  readonly signal: AbortSignal;
}

interface Wanted {
  readonly criterion: Criterion;
  readonly key: BaseKey;
  readonly found: BaseFinding | undefined;
}

function hasCommand({ check }: Criterion): boolean {
  return check !== undefined && "command" in check;
}

function readCommand({ check }: Criterion): string {
  return check !== undefined && "command" in check ? check.command.trim() : "";
}

/** Only what the command itself said is kept: a limit or a stop says nothing about the tree. */
function readFinding({ verdict, code, evidence, proof, hints = [] }: CheckResult): BaseFinding | undefined {
  const failing = proof?.kind === "command" ? (proof.failing ?? []) : [];
  if (verdict === "passed") return { verdict, evidence, failing: [] };
  return verdict === "failed" && code === "CHECK_FAILED" ? { verdict, evidence, failing, hints } : undefined;
}

function toResult(criterion: Criterion, { verdict, evidence, failing }: BaseFinding): CheckResult {
  const command = readCommand(criterion);
  const ended = {
    exit_code: verdict === "passed" ? 0 : 1,
    signal: null,
    duration_ms: 0,
    output: "",
    log: null,
  };
  const proof = { kind: "command" as const, command, ...ended, failing: [...failing] };
  return { criterion, verdict, code: verdict === "passed" ? null : "CHECK_FAILED", evidence, proof };
}
