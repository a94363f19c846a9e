import { createHash } from "node:crypto";
import { DelegationError } from "../../src/base/delegation-error.ts";

export type Files = ReadonlyMap<string, string>;

export interface ModelCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly number: number;
  /** All it holds, itself included. */
  readonly history: ReadonlySet<string>;
}

export interface MergedFiles {
  readonly files: Files;
  readonly conflicts: readonly string[];
}

/** What git is to the pipeline: trees by content, commits by tree and parents, refs that move one at a time. */
export class ModelGit {
  readonly commits = new Map<string, ModelCommit>();
  readonly refs = new Map<string, string>();
  readonly #trees = new Map<string, Files>();

  tree(files: Files): string {
    const entries = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
    const id = hashOf(JSON.stringify(entries));
    if (!this.#trees.has(id)) this.#trees.set(id, new Map(entries));
    return id;
  }

  files(tree: string): Files {
    const files = this.#trees.get(tree);
    if (files === undefined) throw new RangeError(`there is no tree ${tree}`);
    return files;
  }

  filesOf(commit: string): Files {
    return this.files(this.read(commit).tree);
  }

  read(id: string): ModelCommit {
    const commit = this.commits.get(id);
    if (commit === undefined) throw new RangeError(`there is no commit ${id}`);
    return commit;
  }

  commit(made: {
    readonly tree: string;
    readonly parents: readonly string[];
    readonly message: string;
  }): string {
    const id = hashOf(JSON.stringify([made.tree, made.parents, made.message]));
    if (this.commits.has(id)) return id;
    const history = new Set([id, ...made.parents.flatMap((parent) => [...this.read(parent).history])]);
    const { tree, parents } = made;
    this.commits.set(id, { id, tree, parents, number: this.commits.size, history });
    return id;
  }

  contains(commit: string, ancestor: string): boolean {
    return this.read(commit).history.has(ancestor);
  }

  merge(ours: string, theirs: string): MergedFiles {
    const base = this.#virtualBase(this.#bestBases(ours, theirs));
    return mergeFiles(base, this.filesOf(ours), this.filesOf(theirs));
  }

  changes(from: string, to: string): readonly string[] {
    const [before, after] = [this.filesOf(from), this.filesOf(to)];
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((path) => before.get(path) !== after.get(path))
      .sort();
  }

  /** Compare and swap, as `update-ref` does it. */
  moveRef(move: {
    readonly ref: string;
    readonly from: string | null;
    readonly to: string;
  }): "moved" | "already" | "raced" {
    const now = this.refs.get(move.ref) ?? null;
    if (now === move.to) return "already";
    if (now !== move.from) return "raced";
    this.refs.set(move.ref, this.read(move.to).id);
    return "moved";
  }

  /** Whether some ref leads to it. */
  isReachable(commit: string): boolean {
    for (const tip of this.refs.values()) if (this.contains(tip, commit)) return true;
    return false;
  }

  /** Whether some ref leads to a commit with these files. */
  isKept(tree: string): boolean {
    for (const commit of this.commits.values())
      if (commit.tree === tree && this.isReachable(commit.id)) return true;
    return false;
  }

  #bestBases(one: string, other: string): readonly string[] {
    const left = this.read(one).history;
    const common = [...this.read(other).history].filter((id) => left.has(id));
    const best = common.filter((id) => !common.some((later) => later !== id && this.contains(later, id)));
    return best.sort((a, b) => this.read(a).number - this.read(b).number);
  }

  /** Several best bases are merged first, as git does. */
  #virtualBase([first, ...rest]: readonly string[]): Files {
    if (first === undefined) return new Map();
    return rest.reduce<Files>((files, next) => {
      const below = this.#virtualBase(this.#bestBases(first, next));
      return mergeFiles(below, files, this.filesOf(next)).files;
    }, this.filesOf(first));
  }
}

function mergeFiles(base: Files, ours: Files, theirs: Files): MergedFiles {
  const files = new Map<string, string>();
  const conflicts: string[] = [];
  for (const path of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const [b, o, t] = [base.get(path), ours.get(path), theirs.get(path)];
    const isConflict = o !== t && o !== b && t !== b;
    if (isConflict) conflicts.push(path);
    const content = isConflict ? `<<< ${o ?? ""} === ${t ?? ""} >>>` : o === b ? t : o;
    if (content !== undefined) files.set(path, content);
  }
  return { files, conflicts: conflicts.sort() };
}

function hashOf(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

export function gitError(code: string, message: string): DelegationError {
  return new DelegationError({ code, message, recommendation: "Look at the simulation." });
}
