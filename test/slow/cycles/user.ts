import { execFile } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Random } from "../random.ts";

const run = promisify(execFile);

/** One user action on a checkout; the same on every checkout it is applied to. */
type Action = (root: string) => Promise<void>;

/**
 * A user who keeps working while delegations run. Everything is done twice, in the project and in a twin that Ambit
 * never sees, with the same dates: whatever differs between the two afterwards, Ambit did.
 */
export class User {
  readonly #roots: readonly string[];
  readonly #home: string;
  readonly #random: Random;
  #step = 0;
  readonly failures: string[] = [];

  constructor(roots: readonly string[], home: string, random: Random) {
    this.#roots = roots;
    this.#home = home;
    this.#random = random;
  }

  get steps(): number {
    return this.#step;
  }

  async act(): Promise<void> {
    this.#step += 1;
    const action = this.#choose();
    const outcomes = await Promise.all(this.#roots.map((root) => this.#attempt(action, root)));
    if (new Set(outcomes).size > 1) this.failures.push(`step ${this.#step}: ${outcomes.join(" / ")}`);
  }

  /** Some actions fail, such as popping an empty stash; then they must fail alike. */
  async #attempt(action: Action, root: string): Promise<string> {
    try {
      await action(root);
      return "done";
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return `failed: ${text.replaceAll(root, "<root>").split("\n").slice(0, 3).join(" | ")}`;
    }
  }

  #choose(): Action {
    const step = this.#step;
    const name = `src/file-${this.#random.below(40)}.txt`;
    const fresh = `notes/${step % 200}.txt`;
    const content = `${step} ${this.#random.next()}\n`;
    const branch = `topic-${this.#random.below(5)}`;
    const actions: readonly Action[] = [
      (root) => writeFile(join(root, name), content),
      (root) => writeFile(join(root, name), content),
      async (root) => {
        await mkdir(join(root, "notes"), { recursive: true });
        await writeFile(join(root, fresh), content);
      },
      (root) => rm(join(root, name), { force: true }),
      (root) => this.#git(root, "add", "-A"),
      (root) => this.#git(root, "add", name),
      (root) => this.#git(root, "commit", "-qam", `Step ${step}`),
      (root) => this.#git(root, "commit", "-q", "--allow-empty", "-m", `Step ${step}`),
      (root) => this.#git(root, "stash", "push", "-q", "-u", "-m", `Stash ${step}`),
      (root) => this.#git(root, "stash", "pop", "-q"),
      (root) => this.#git(root, "branch", "-f", branch),
      (root) => this.#git(root, "tag", "-f", `tag-${branch}`),
      (root) => this.#git(root, "config", `user-made.${branch}.value`, content.trim()),
      (root) => this.#git(root, "reset", "-q"),
      (root) => this.#restore(root),
    ];
    return this.#random.pick(actions);
  }

  /** Keeps the checkout from running empty. */
  async #restore(root: string): Promise<void> {
    const names = await readdir(join(root, "src")).catch(() => []);
    if (names.length > 20) return;
    await mkdir(join(root, "src"), { recursive: true });
    for (let index = 0; index < 40; index += 1)
      await writeFile(join(root, `src/file-${index}.txt`), `${index}\n`);
  }

  async #git(root: string, ...words: readonly string[]): Promise<void> {
    const date = `${1_700_000_000 + this.#step} +0000`;
    await run("git", words, {
      cwd: root,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: this.#home,
        LC_ALL: "C",
        GIT_AUTHOR_DATE: date,
        GIT_COMMITTER_DATE: date,
      },
    });
  }
}
