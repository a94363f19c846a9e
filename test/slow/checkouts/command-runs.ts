/** Stories that the built command runs, merges and undoes, with kills of the command and of the supervisor. */
import { deepStrictEqual, ok } from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { cli, trustEverything } from "../../e2e/run-cli.ts";
import { type CheckoutPlace, seeCheckout } from "../../workspace/checkout-place.ts";
import {
  changeFiles,
  type CheckoutState,
  type Deed,
  isPublicPlace,
} from "../../workspace/checkout-states.ts";
import type { MergeEnd, RunStory } from "../../workspace/merge-in-checkout.ts";
import type { Random } from "../random.ts";
import { KilledMoves, waitForMoment, type Way } from "./kill-moves.ts";

type FileDeed = Exclude<Deed, { kind: "gitlink" }>;

/** What the worker does, in its workspace. */
export function doDeeds(deeds: string): void {
  const done: readonly FileDeed[] = JSON.parse(deeds);
  for (const deed of done) changeFiles(process.cwd(), deed);
}

export interface CommandOptions {
  readonly random: Random;
  /** The words that start `doDeeds`; the deeds come behind them. */
  readonly program: readonly string[];
}

interface Answer {
  readonly status: number | null;
  readonly json: Readonly<Record<string, unknown>>;
}

const FIRST_GUESS_MS = 600;
const RUN_MS = 1_500;

export class CommandRuns {
  readonly tally = { kills: 0, inTheMiddle: 0, killedRuns: 0 };
  readonly #project: CheckoutPlace;
  readonly #options: CommandOptions;
  readonly #usualMs = { merge: FIRST_GUESS_MS, undo: FIRST_GUESS_MS };
  #stories = 0;

  constructor(project: CheckoutPlace, options: CommandOptions) {
    this.#project = project;
    this.#options = options;
  }

  readonly runStory: RunStory = async (project, state) => {
    if (this.#options.random.chance(0.2)) await this.#killRun(state);
    const { status, json } = await this.#ask(this.#runWords(state));
    if (status !== 0 || json["commit"] === null) {
      await this.#ask(["stop", this.#story(), "--yes"]);
      return undefined;
    }
    const { random } = this.#options;
    return new KilledMoves(project, this.#mover(state), { random, tally: this.tally });
  };

  async close(): Promise<void> {
    await this.#ask(["supervisor", "stop", "--yes"]);
    await this.#ask(["clean", "--yes"]);
  }

  #mover(state: CheckoutState): ConstructorParameters<typeof KilledMoves>[1] {
    const merge = ["merge", this.#story(), "--yes", ...(state.way === "squash" ? ["--squash"] : [])];
    const undo = ["merge", this.#story(), "--undo", "--yes"];
    return {
      merge: async () => readMergeEnd(await this.#ask(merge)),
      undo: async () => readUndoEnd(await this.#ask(undo)),
      kill: (way) => this.#kill(way, way === "merge" ? merge : undo),
    };
  }

  /** A run whose supervisor and command die leaves the checkout as it is. */
  async #killRun(state: CheckoutState): Promise<void> {
    const before = seeCheckout(this.#project);
    const child = this.#start(this.#runWords(state));
    await Promise.race([once(child, "exit"), wait(this.#options.random.next() * RUN_MS)]);
    const owner = join(this.#project.stateDirectory, "supervisor.json");
    const pid: unknown = existsSync(owner) ? JSON.parse(readFileSync(owner, "utf8"))["pid"] : undefined;
    if (typeof pid === "number") endProcess(pid);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    this.tally.killedRuns += 1;
    deepStrictEqual(seeCheckout(this.#project), before, "a killed run changed something");
  }

  #runWords(state: CheckoutState): readonly string[] {
    this.#stories += 1;
    const deeds = state.story.filter(isPlainDeed);
    const worker = [...this.#options.program, JSON.stringify(deeds)];
    return ["run", "Story", "--id", this.#story(), "--check", "true", "--", ...worker];
  }

  #story(): string {
    return `S-${String(this.#stories)}`;
  }

  async #kill(way: Way, words: readonly string[]): Promise<boolean> {
    const began = performance.now();
    const child = this.#start(words);
    const ended = once(child, "exit");
    const moment = waitForMoment(this.#project, this.#options.random, this.#usualMs[way]);
    const isOver = await Promise.race([ended.then(() => true), moment]);
    if (isOver === true) {
      this.#usualMs[way] = performance.now() - began;
      return false;
    }
    child.kill("SIGKILL");
    await ended;
    return true;
  }

  async #ask(words: readonly string[]): Promise<Answer> {
    const at = words.indexOf("--");
    const whole = at < 0 ? [...words, "--json"] : [...words.slice(0, at), "--json", ...words.slice(at)];
    const child = this.#start(whole);
    const closed = once(child, "close");
    const output = child.stdout === null ? "" : await text(child.stdout);
    await closed;
    return { status: child.exitCode, json: output.trim() === "" ? {} : JSON.parse(output) };
  }

  #start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [cli, ...words], {
      cwd: this.#project.root,
      env: { PATH: process.env["PATH"], HOME: this.#project.home, ...trustEverything },
      stdio: ["ignore", "pipe", "ignore"],
    });
  }
}

/** Links and names of secrets wait for a person's approval; a pointer of a submodule is nothing a worker edits. */
function isPlainDeed(deed: Deed): boolean {
  if (deed.kind === "gitlink" || deed.kind === "link") return false;
  return deed.kind === "add" || deed.kind === "move" ? isPublicPlace(deed.place) : true;
}

function readMergeEnd({ status, json }: Answer): MergeEnd["status"] {
  const said = json["status"];
  if (said === "merged" || said === "already-merged" || said === "conflict") return said;
  ok(json["error"] !== undefined && status !== 0, JSON.stringify(json));
  return "refused";
}

function readUndoEnd({ json }: Answer): boolean {
  if (json["status"] === "undone") return true;
  const said = JSON.stringify(json);
  ok(said.includes("No merge of"), said);
  return false;
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone by itself.
  }
}
