import type { CriterionCheck } from "../../src/contract/task.ts";
import { holds } from "./checks.ts";
import type { JournalAudit, Known } from "./journal-audit.ts";
import type { ModelGit } from "./model-git.ts";
import type { ModelPlace, ModelPlaces } from "./model-places.ts";
import type { ModelProcess, ModelProcesses } from "./model-processes.ts";

interface Move {
  readonly ref: string;
  readonly from: string | null;
  readonly to: string;
}

export interface Witnessed {
  readonly git: ModelGit;
  readonly places: ModelPlaces;
  readonly processes: ModelProcesses;
  readonly journal: JournalAudit;
  readonly complain: (rule: string, text: string) => void;
  /** Nothing but crashes happens: what a worker left is always kept, and its folder always freed. */
  readonly isStrict: boolean;
}

/** Codes that say something broke in the runtime's own hands; no crash and no agent may lead there. */
const ourFault: ReadonlySet<string> = new Set([
  "INTERNAL",
  "WORKSPACE_EXISTS",
  "BRANCH_EXISTS",
  "WORKSPACE_GONE",
  "WORK_NOT_SAVED",
  "ILLEGAL_TRANSITION",
  "DUPLICATE_ID",
  "DELEGATION_NOT_FOUND",
]);

/** Where a delegation's work is merged, written a second time. */
function targetRef({ parent, story }: Pick<Known, "parent" | "story">): string {
  return parent === null || parent === story
    ? `refs/heads/ambit/${story}`
    : `refs/ambit/integration/${parent}`;
}

/** Looks on at branches, folders and processes, and holds them against the journal. */
export class BranchAudit {
  readonly #seen: Witnessed;
  readonly #passed = new Map<string, Set<string>>();
  readonly #mergedInto = new Map<string, Known[]>();
  /** What a process left in its folder when it ended, until somebody works there again. */
  readonly #owed = new Map<string, string>();
  readonly #movedTo: { readonly id: string; readonly commit: string }[] = [];
  readonly #usersOwn: { readonly ref: string; readonly commit: string }[] = [];
  readonly #mains: string;
  merges = 0;
  /** How often a branch took the work of several workers at once. */
  groups = 0;

  constructor(seen: Witnessed) {
    this.#seen = seen;
    this.#mains = seen.git.refs.get("refs/heads/main") ?? "";
  }

  checkPassed(tree: string, check: CriterionCheck): void {
    const passed = this.#passed.get(tree) ?? new Set();
    this.#passed.set(tree, passed.add(JSON.stringify(check)));
  }

  /** Each move belongs to one delegation, or to several that were checked together, one merged onto the other. */
  moved(move: Move): void {
    const { git, journal, complain } = this.#seen;
    const owners = [...journal.known.values()].filter(
      ({ state, candidate, ...one }) =>
        state === "verified" && candidate?.checkedOn === move.to && targetRef(one) === move.ref,
    );
    let at = move.from;
    for (const _ of owners) {
      const owner = owners.find(({ candidate }) => candidate?.onto === at);
      if (owner === undefined) continue;
      this.#merged(owner, { ref: move.ref, from: at, to: move.to });
      at = owner.candidate?.commit ?? at;
    }
    if (at !== move.to)
      return complain(
        "proof",
        `${move.ref} went to ${move.to}, which no check proved onto ${move.from ?? "-"}`,
      );
    if (move.from !== null && !git.contains(move.to, move.from))
      complain("merges", `${move.ref} lost ${move.from} when it went to ${move.to}`);
    if (owners.length > 1) this.groups += 1;
  }

  #merged(owner: Known, { ref, from, to }: Move): void {
    const commit = owner.candidate?.commit ?? to;
    const siblings = this.#mergedInto.get(ref) ?? [];
    if (siblings.includes(owner)) this.#seen.complain("merges", `${owner.id} was merged into ${ref} twice`);
    this.#checkTree(owner, siblings, to);
    this.#checkWorkers(owner, commit);
    if (ref.startsWith("refs/heads/")) this.#checkSensitive(owner, { ref, from, to: commit });
    this.#mergedInto.set(ref, [...siblings, owner]);
    this.#movedTo.push({ id: owner.id, commit });
    this.merges += 1;
  }

  userCommitted(ref: string, commit: string): void {
    this.#usersOwn.push({ ref, commit });
  }

  launching(id: string): void {
    const { journal, processes, complain } = this.#seen;
    const known = journal.known.get(id);
    if (known?.state !== "running")
      complain("processes", `${id} is started while ${known?.state ?? "unknown"}`);
    if (processes.aliveOf(id).length > 0)
      complain("processes", `${id} is started while an earlier process of it runs`);
    this.#checkKept(id, "a new attempt starts");
  }

  overwriting(place: ModelPlace, how: string): void {
    this.#checkKept(place.id, how);
  }

  ended({ kind, delegation }: ModelProcess): void {
    const place = this.#seen.places.places.get(delegation);
    // Between two commits that are both kept, moved by the runtime while the agent waited in a call.
    if (place?.note !== undefined) return;
    if (kind === "agent" && place !== undefined) this.#owed.set(delegation, this.#seen.git.tree(place.files));
  }

  /** A process begins to write: from now on the folder is its own. */
  began(id: string): void {
    this.#owed.delete(id);
  }

  closed(known: Known): void {
    if (ourFault.has(known.code ?? ""))
      this.#seen.complain("our-fault", `${known.id} ended with ${known.code ?? ""}`);
  }

  afterStep(): void {
    const { journal, processes, complain } = this.#seen;
    for (const { delegation, kind } of processes.alive())
      if (journal.known.get(delegation)?.state === "closed")
        complain("processes", `a ${kind} of ${delegation} runs although it has ended`);
  }

  /** When all is over. */
  atEnd(): void {
    const { git, journal, places, processes, complain } = this.#seen;
    if (git.refs.get("refs/heads/main") !== this.#mains) complain("user", "the user's branch moved");
    for (const { delegation } of processes.alive())
      complain("processes", `a process of ${delegation} is left`);
    for (const { id, isReady } of places.places.values())
      if (!this.#mayStay(id))
        complain("places", `the ${isReady ? "" : "half-made "}workspace of ${id} is left`);
    for (const id of this.#owed.keys()) this.#checkKept(id, "the end");
    for (const { id, tips } of journal.known.values())
      for (const tip of tips) if (!git.isReachable(tip)) complain("work", `no ref leads to ${tip} of ${id}`);
    for (const [ref, merged] of this.#mergedInto)
      for (const { id, candidate } of merged)
        if (candidate !== undefined && !git.contains(git.refs.get(ref) ?? "", candidate.commit))
          complain("merges", `${ref} no longer holds ${id}`);
    for (const { ref, commit } of this.#usersOwn)
      if (!git.contains(git.refs.get(ref) ?? "", commit))
        complain("user", `${ref} lost a commit of the user's`);
    for (const known of journal.known.values()) this.#checkMerged(known);
    for (const { id, commit } of this.#movedTo)
      if (journal.known.get(id)?.outcome === "completed" && !journal.mergedCommits.has(commit))
        complain("merges", `a branch went to ${commit} for ${id}, and the journal never says so`);
  }

  #checkMerged(known: Known): void {
    if (known.outcome !== "completed" || known.candidate === undefined) return;
    const { git } = this.#seen;
    const merged = this.#mergedInto.get(targetRef(known)) ?? [];
    // Without changes of its own it may have come with the work of another.
    const isThere = git.contains(git.refs.get(targetRef(known)) ?? "", known.candidate.commit);
    if (!merged.includes(known) && !isThere)
      this.#seen.complain("merges", `${known.id} is completed and was never merged`);
  }

  /** Every required check of its own was seen to pass on this very tree, and none of its siblings' fails there. */
  #checkTree(owner: Known, siblings: readonly Known[], commit: string): void {
    const { git, complain } = this.#seen;
    const { tree } = git.read(commit);
    const files = git.files(tree);
    for (const { id, check } of checksOf(owner))
      if (!this.#changedIt(owner, check) && this.#passed.get(tree)?.has(JSON.stringify(check)) !== true)
        complain("proof", `${owner.id} was merged although ${id} never passed on its tree`);
    for (const sibling of siblings)
      for (const { id, check } of checksOf(sibling))
        if (!("changed" in check) && !holds(check, files, []))
          complain("ratchet", `merging ${owner.id} broke ${id} of ${sibling.id}`);
  }

  /** What a worker changed is read from git where several were checked together, so no check of it runs. */
  #changedIt({ candidate }: Known, check: CriterionCheck): boolean {
    if (candidate === undefined || candidate.onto === null || !("changed" in check)) return false;
    const { git } = this.#seen;
    const [before, after] = [git.filesOf(candidate.onto), git.filesOf(candidate.commit)];
    return holds(
      check,
      after,
      [...after.keys()].filter((path) => after.get(path) !== before.get(path)),
    );
  }

  /** Files that can run code come in only where somebody agreed: to this merge, or to the one that brought them so far. */
  #checkSensitive(owner: Known, { from, to }: Move): void {
    const { git, journal, complain } = this.#seen;
    const start = from ?? journal.known.get(owner.story)?.base;
    const before = start === undefined ? new Map() : git.filesOf(start);
    for (const [path, content] of git.filesOf(to)) {
      if (!path.startsWith(".github/") || before.get(path) === content) continue;
      const writer = journal.known.get(content.split("#")[0] ?? "");
      const agreed = [owner, writer].some((one) =>
        [...(one?.approved ?? [])].some((id) => id.includes("sensitive-paths")),
      );
      if (!agreed) complain("scope", `${owner.id} brought ${path} in, and no person agreed`);
    }
  }

  /** What its own workers completed came along. */
  #checkWorkers(owner: Known, commit: string): void {
    const { git, complain } = this.#seen;
    const tip = owner.parent === null ? undefined : git.refs.get(`refs/ambit/integration/${owner.id}`);
    // After a conflict was resolved the history is made again, but not the files.
    const last = owner.tips.at(-1) ?? commit;
    const isSame = git.read(last).tree === git.read(commit).tree;
    if (tip !== undefined && !git.contains(commit, tip) && !(isSame && git.contains(last, tip)))
      complain("merges", `${owner.id} was merged without what its workers had completed`);
  }

  /** What could not be kept stays where it is, for people to look at. */
  #mayStay(id: string): boolean {
    const { git, places, isStrict } = this.#seen;
    const place = places.places.get(id);
    if (isStrict || place === undefined) return false;
    const tree = git.tree(place.files);
    return !places.isAllKept(place) && tree === (this.#owed.get(id) ?? tree);
  }

  #checkKept(id: string, when: string): void {
    const { git, complain } = this.#seen;
    const tree = this.#owed.get(id);
    if (tree === undefined) return;
    if (!git.isKept(tree) && !this.#mayStay(id))
      complain("work", `${when}: files ${id} had left are in no commit that is kept`);
  }
}

interface Checked {
  readonly id: string;
  readonly check: CriterionCheck;
}

function checksOf({ criteria, waived }: Known): readonly Checked[] {
  return criteria.flatMap(({ id, check, required }) =>
    check === undefined || "manual" in check || !required || waived.includes(id) ? [] : [{ id, check }],
  );
}
