import type { KeptWork } from "../../src/orchestrator/ports/work-place.ts";
import { gitError, type ModelGit } from "./model-git.ts";

export interface ModelPlace {
  readonly id: string;
  readonly path: string;
  readonly base: string;
  /** What the files stand on. */
  head: string;
  files: Map<string, string>;
  /** Made, but not all of it: its maker died. */
  isReady: boolean;
  /** Where a killed `advance` was going. */
  note: string | undefined;
}

const workRefOf = (id: string): string => `refs/ambit/work/${id}`;
const branchRefOf = (id: string): string => `refs/heads/delegation/${id}`;

/**
 * Where workers work. Every operation that the real one does in several steps is in parts here, so that a crash can
 * fall in between; a part that is done again must do no harm.
 */
export class ModelPlaces {
  readonly places = new Map<string, ModelPlace>();
  readonly #git: ModelGit;

  constructor(git: ModelGit) {
    this.#git = git;
  }

  find(id: string): ModelPlace | undefined {
    const place = this.places.get(id);
    return place?.isReady === true ? place : undefined;
  }

  byPath(path: string): ModelPlace | undefined {
    return [...this.places.values()].find((place) => place.path === path);
  }

  begin(id: string, base: string): void {
    if (this.#git.refs.has(branchRefOf(id)))
      throw gitError("BRANCH_EXISTS", `delegation/${id} exists already`);
    if (this.places.has(id)) throw gitError("WORKSPACE_EXISTS", `there is already a workspace of ${id}`);
    const files = new Map(this.#git.filesOf(base));
    const path = `/places/${id}`;
    this.places.set(id, { id, path, base, head: base, files, isReady: false, note: undefined });
  }

  complete(id: string): ModelPlace {
    const place = this.#read(id);
    place.isReady = true;
    this.#git.refs.set(branchRefOf(id), place.base);
    this.#git.refs.set(`refs/ambit/base/${id}`, place.base);
    return place;
  }

  dropHalfMade(): void {
    for (const { id, isReady } of this.places.values()) if (!isReady) this.places.delete(id);
  }

  keepWork(id: string, message: string): KeptWork {
    const place = this.#read(id);
    const { base } = place;
    const tree = this.#git.tree(place.files);
    const isSame = tree === this.#git.read(place.head).tree;
    const tip = isSame ? place.head : this.#git.commit({ tree, parents: [place.head], message });
    place.head = tip;
    this.#moveTips(id, tip);
    return { base, tip, filesChanged: this.#git.changes(base, tip) };
  }

  /** First part: refuses what is not kept, then some files are new and others are not. */
  beginAdvance(id: string, to: string): void {
    const place = this.#read(id);
    if (place.note !== undefined) {
      this.#keepMixture(place);
      this.finishAdvance(id);
    }
    if (!this.isAllKept(place)) throw gitError("WORK_NOT_SAVED", `files of ${id} are not imported yet`);
    place.note = to;
    const target = this.#git.filesOf(to);
    const paths = [...new Set([...place.files.keys(), ...target.keys()])].sort();
    for (const path of paths.slice(0, Math.ceil(paths.length / 2)))
      setFile(place.files, path, target.get(path));
  }

  /** Completes an advance that was begun; does nothing where none was. */
  finishAdvance(id: string): void {
    const place = this.#read(id);
    if (place.note === undefined) return;
    place.files = new Map(this.#git.filesOf(place.note));
    place.head = place.note;
    this.#moveTips(id, place.note);
    place.note = undefined;
  }

  isAllKept(place: ModelPlace): boolean {
    const kept = this.#git.refs.get(workRefOf(place.id)) ?? place.base;
    return this.#git.tree(place.files) === this.#git.read(kept).tree;
  }

  /** First part: the folder is gone. The second is `dropBranch`. */
  discard(id: string): boolean {
    const place = this.#read(id);
    if (!this.isAllKept(place)) return false;
    this.places.delete(id);
    return true;
  }

  dropBranch(id: string): void {
    this.#git.refs.delete(branchRefOf(id));
  }

  #keepMixture(place: ModelPlace): void {
    if (place.note === undefined) return;
    const tree = this.#git.tree(place.files);
    if (tree === this.#git.read(place.note).tree) return;
    const commit = this.#git.commit({ tree, parents: [place.note], message: `Mixture of ${place.id}` });
    this.#git.refs.set(`refs/ambit/kept/${place.id}/${commit}`, commit);
  }

  /** What the refs stood at stays reachable. */
  #moveTips(id: string, to: string): void {
    for (const ref of [branchRefOf(id), workRefOf(id)]) {
      const before = this.#git.refs.get(ref);
      if (before !== undefined && !this.#git.contains(to, before))
        this.#git.refs.set(`refs/ambit/kept/${id}/${before}`, before);
      this.#git.refs.set(ref, to);
    }
  }

  #read(id: string): ModelPlace {
    const place = this.places.get(id);
    if (place === undefined) throw gitError("WORKSPACE_GONE", `the workspace of ${id} is no longer there`);
    return place;
  }
}

function setFile(files: Map<string, string>, path: string, content: string | undefined): void {
  if (content === undefined) files.delete(path);
  else files.set(path, content);
}
