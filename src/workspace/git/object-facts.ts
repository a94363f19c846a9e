import { isObjectId } from "./read-head.ts";
import type { Repository } from "./repository.ts";

/** Caches answers that depend on object ids alone: the content of a commit never changes, so git is asked once. */
export class ObjectFacts<Answer> {
  readonly #known = new Map<string, Promise<Answer>>();
  readonly #most: number;

  /** When there are more than this many, the oldest are forgotten. */
  constructor(most: number) {
    this.#most = most;
  }

  /** `ids` must be everything the answer depends on. If one is a name, which may move, git is asked every time. */
  askOnce(repository: Repository, ids: readonly string[], ask: () => Promise<Answer>): Promise<Answer> {
    if (!ids.every(isObjectId)) return ask();
    const key = buildFactKey(repository, ids);
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const asked = ask();
    this.#keepAnswer(key, asked);
    asked.catch(() => this.#known.delete(key));
    return asked;
  }

  /** The answer of an earlier call, or of one under way; undefined if git was not asked. */
  recall(repository: Repository, ids: readonly string[]): Promise<Answer> | undefined {
    return this.#known.get(buildFactKey(repository, ids));
  }

  rememberFact(repository: Repository, ids: readonly string[], answer: Answer): void {
    this.#keepAnswer(buildFactKey(repository, ids), Promise.resolve(answer));
  }

  #keepAnswer(key: string, answer: Promise<Answer>): void {
    this.#known.set(key, answer);
    const oldest = this.#known.size > this.#most ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

function buildFactKey(repository: Repository, ids: readonly string[]): string {
  return [repository.commonDirectory, ...ids].join("\0");
}
