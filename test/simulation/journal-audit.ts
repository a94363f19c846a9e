import type { JournalEvent } from "../../src/contract/journal-event.ts";
import type { Limits } from "../../src/contract/limits.ts";
import type { Criterion } from "../../src/contract/task.ts";
import type { Usage } from "../../src/contract/usage.ts";
import type { Delegation } from "../../src/journal/store.ts";
import { book, giveBack, lendTo, openBooks, spent, type Books } from "./ledger-audit.ts";

export type State = "queued" | "running" | "parked" | "returned" | "verified" | "merged" | "closed";

/** All the journal has said of one delegation. */
export interface Known {
  readonly id: string;
  readonly story: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly criteria: readonly Criterion[];
  readonly books: Books;
  state: State;
  /** Its process is gone, so it holds no slot, whatever is still done with its work. */
  hasProcess: boolean;
  attempt: number;
  workers: number;
  openWorkers: number;
  outcome: string | null;
  code: string | null;
  tips: string[];
  /** What its folder was made from. */
  base: string | undefined;
  candidate:
    | { readonly commit: string; readonly onto: string | null; readonly checkedOn: string }
    | undefined;
  waived: readonly string[];
  /** Kinds of questions about it that were approved. */
  readonly approved: Set<string>;
}

type Complain = (rule: string, text: string) => void;

/** What may still be said of a delegation that has ended. */
const afterwards: ReadonlySet<string> = new Set([
  "late-return-ignored",
  "note-added",
  "workspace-removed",
  "approval-answered",
  "message-sent",
  "message-marked",
]);

/** The state changes as the specification has them, written a second time. */
const moves: Readonly<Record<string, { readonly from: readonly State[]; readonly to: State }>> = {
  "attempt-started": { from: ["queued"], to: "running" },
  "attempt-lost": { from: ["running"], to: "queued" },
  "attempt-retried": { from: ["running", "parked", "returned"], to: "queued" },
  "delegation-parked": { from: ["running", "parked"], to: "parked" },
  "delegation-rejoined": { from: ["parked"], to: "running" },
  "delegation-resumed": { from: ["parked"], to: "queued" },
  "delegation-returned": { from: ["running", "parked"], to: "returned" },
  "delegation-verified": { from: ["returned"], to: "verified" },
  "merge-repeated": { from: ["verified"], to: "returned" },
  "delegation-merged": { from: ["verified"], to: "merged" },
};

/** Reads the journal as it grows and judges every single event by what came before it. */
export class JournalAudit {
  readonly known = new Map<string, Known>();
  readonly transitions: string[] = [];
  /** Commits of which the journal says that a branch was moved to them. */
  readonly mergedCommits = new Set<string>();
  readonly #limits = new Map<string, Limits>();
  readonly #counts = new Map<string, number>();
  readonly #reported = new Map<string, number>();
  readonly #complain: Complain;
  readonly #maxConcurrent: number;
  seq = 0;
  refused = 0;

  constructor(maxConcurrent: number, complain: Complain) {
    this.#maxConcurrent = maxConcurrent;
    this.#complain = complain;
  }

  /** What an agent has told the runtime it used; the journal must not have more. */
  agentReported(id: string, usage: Usage): void {
    this.#reported.set(id, (this.#reported.get(id) ?? 0) + usage.microUsd);
  }

  read(event: JournalEvent): void {
    if (event.seq !== this.seq + 1) this.#complain("journal", `event ${event.seq} follows ${this.seq}`);
    this.seq = event.seq;
    this.transitions.push(describe(event));
    if (event.type === "story-opened") return this.#open(event);
    if (event.type === "delegation-admitted") return this.#admit(event);
    if (event.type === "delegation-refused") this.refused += 1;
    if (event.type === "delegation-merged") this.mergedCommits.add(event.data.commit);
    const known = event.delegation === null ? undefined : this.known.get(event.delegation);
    if (known === undefined) return;
    if (known.state === "closed" && !afterwards.has(event.type))
      this.#complain("one-end", `${event.type} after the end of ${known.id}`);
    this.#move(known, event);
    this.#take(known, event);
  }

  open(): readonly Known[] {
    return [...this.known.values()].filter(({ state }) => state !== "closed");
  }

  managers(): number {
    return [...this.known.values()].filter(({ workers }) => workers > 0).length;
  }

  /** Held against what the store itself says. */
  compare(rows: readonly Delegation[]): void {
    for (const row of rows) {
      const known = this.known.get(row.id);
      const ours = known === undefined ? "" : picture(known);
      const theirs = pictureOfRow(row);
      if (ours !== theirs)
        this.#complain("replay", `${row.id} is ${theirs} in the store, ${ours} in the journal`);
    }
  }

  /** Usage of all its delegations, and what the books of the root say. */
  checkTotals(): void {
    for (const root of this.known.values()) {
      if (root.parent !== null) continue;
      const tree = [...this.known.values()].filter(({ story }) => story === root.story);
      const sum = tree.reduce((total, { books }) => total + books.money.own, 0);
      if (root.state === "closed" && sum !== spent(root.books.money))
        this.#complain(
          "ledger",
          `${root.id}: its tree used ${sum}, its books say ${spent(root.books.money)}`,
        );
      if (root.state === "closed" && root.books.money.lent !== 0)
        this.#complain("ledger", `${root.id} ended with ${root.books.money.lent} lent`);
    }
  }

  #open(event: Extract<JournalEvent, { type: "story-opened" }>): void {
    const { limits, work, budgetTokens, budgetMicroUsd } = event.data;
    this.#limits.set(event.story, limits);
    this.#add({ id: event.story, story: event.story, parent: null, depth: 0 }, work?.criteria ?? [], {
      tokens: budgetTokens,
      money: budgetMicroUsd,
    });
  }

  #admit(event: Extract<JournalEvent, { type: "delegation-admitted" }>): void {
    const { data, story } = event;
    const id = event.delegation ?? "";
    const manager = this.known.get(data.parent);
    if (manager === undefined) return this.#complain("journal", `${id} has no manager`);
    const { depth, parent } = data;
    const added = this.#add({ id, story, parent, depth }, data.work?.criteria ?? [], {
      tokens: data.budgetTokens,
      money: data.budgetMicroUsd,
    });
    manager.workers += 1;
    manager.openWorkers += 1;
    const count = (this.#counts.get(story) ?? 0) + 1;
    this.#counts.set(story, count);
    const isAtWork = manager.state === "running" || manager.state === "parked";
    if (!isAtWork || manager.attempt !== data.parentAttempt)
      this.#complain(
        "limits",
        `${id} was admitted for attempt ${data.parentAttempt} of ${parent}, which is ${manager.state}`,
      );
    for (const text of lendTo(manager.books, added.books)) this.#complain("ledger", `${id}: ${text}`);
    this.#checkBounds(added, { manager, count, path: data.path });
  }

  #checkBounds(added: Known, facts: { manager: Known; count: number; path: readonly string[] }): void {
    const limits = this.#limits.get(added.story);
    if (limits === undefined) return this.#complain("journal", `${added.id} has no story`);
    const { manager, count, path } = facts;
    if (added.depth !== manager.depth + 1 || added.depth > limits.maxDepth)
      this.#complain("limits", `${added.id} has depth ${added.depth} of ${limits.maxDepth}`);
    if (count > limits.maxDelegations)
      this.#complain("limits", `${added.id} is number ${count} of ${limits.maxDelegations}`);
    const fanOut = limits.fanOut[manager.depth] ?? 0;
    if (manager.workers > fanOut)
      this.#complain("limits", `${added.id} is worker ${manager.workers} of ${fanOut}`);
    if (new Set(path).size !== path.length)
      this.#complain("limits", `${added.id} has the path ${path.join(" ")}`);
  }

  #add(
    made: Pick<Known, "id" | "story" | "parent" | "depth">,
    criteria: readonly Criterion[],
    budget: { readonly tokens: number | null; readonly money: number | null },
  ): Known {
    if (this.known.has(made.id)) this.#complain("journal", `${made.id} was made twice`);
    const known: Known = {
      ...made,
      criteria,
      books: openBooks(budget.tokens, budget.money),
      state: "queued",
      attempt: 0,
      workers: 0,
      hasProcess: false,
      openWorkers: 0,
      outcome: null,
      code: null,
      tips: [],
      base: undefined,
      candidate: undefined,
      waived: [],
      approved: new Set(),
    };
    this.known.set(made.id, known);
    return known;
  }

  #move(known: Known, event: JournalEvent): void {
    const move = moves[event.type];
    if (event.type === "attempt-ended") known.hasProcess = false;
    if (move === undefined) return;
    if (!move.from.includes(known.state))
      this.#complain("states", `${event.type} of ${known.id}, which was ${known.state}`);
    if (event.type !== "attempt-started" && event.attempt !== known.attempt)
      this.#complain(
        "states",
        `${event.type} of attempt ${event.attempt} of ${known.id}, now ${known.attempt}`,
      );
    known.state = move.to;
    if (event.type === "attempt-started") known.hasProcess = true;
    if (move.to === "running") this.#checkSlots(known);
  }

  #checkSlots(started: Known): void {
    const running = [...this.known.values()].filter(
      ({ state, depth, hasProcess }) => state === "running" && hasProcess && depth > 0,
    );
    const here = running.filter(({ story }) => story === started.story).length;
    const most = this.#limits.get(started.story)?.maxConcurrent ?? 0;
    if (started.depth > 0 && (running.length > this.#maxConcurrent || here > most))
      this.#complain("limits", `${running.length} workers run, ${here} of them for ${started.story}`);
  }

  #take(known: Known, event: JournalEvent): void {
    switch (event.type) {
      case "attempt-started":
        if (event.attempt !== known.attempt + 1)
          this.#complain("states", `attempt ${event.attempt} of ${known.id} follows ${known.attempt}`);
        known.attempt = event.attempt;
        return;
      case "workspace-created":
        known.base = event.data.base;
        return;
      case "work-kept":
        known.tips.push(event.data.tip);
        return;
      case "usage-reported":
        return this.#spend(known, event.data);
      case "delegation-verified":
        known.candidate =
          event.data.candidate === null || event.data.candidate === undefined
            ? undefined
            : {
                commit: event.data.candidate,
                onto: event.data.onto ?? null,
                checkedOn: event.data.checkedOn ?? event.data.candidate,
              };
        known.waived = event.data.waived ?? [];
        return;
      case "approval-answered":
        if (event.data.answer === "approved") known.approved.add(event.data.approvalId);
        return;
      case "delegation-closed":
        return this.#close(known, event.data.outcome, event.data.code);
      default:
        return;
    }
  }

  #spend(known: Known, usage: Usage): void {
    for (const text of book(known.books, usage)) this.#complain("budget", `${known.id}: ${text}`);
    const reported = this.#reported.get(known.id) ?? 0;
    if (known.books.money.own > reported)
      this.#complain("ledger", `${known.id} is charged ${known.books.money.own}, and reported ${reported}`);
  }

  #close(known: Known, outcome: string, code: string | null): void {
    if (outcome === "completed" && known.state !== "verified" && known.state !== "merged")
      this.#complain("proof", `${known.id} was completed while ${known.state}`);
    if (known.openWorkers > 0)
      this.#complain("one-end", `${known.id} ended before ${known.openWorkers} workers`);
    known.state = "closed";
    known.outcome = outcome;
    known.code = code;
    const manager = known.parent === null ? undefined : this.known.get(known.parent);
    if (manager === undefined) return;
    manager.openWorkers -= 1;
    for (const text of giveBack(manager.books, known.books)) this.#complain("ledger", `${known.id}: ${text}`);
  }
}

function picture({ state, attempt, outcome, workers, openWorkers, books }: Known): string {
  const accounts = [books.tokens, books.money].map((kept) => [kept.limit, kept.lent, spent(kept)].join("/"));
  return [state, attempt, outcome, workers, openWorkers, ...accounts].join(" ");
}

function pictureOfRow({ state, attempt, outcome, workers, openWorkers, tokens, money }: Delegation): string {
  const accounts = [tokens, money].map((account) => [account.limit, account.lent, account.spent].join("/"));
  return [state, attempt, outcome, workers, openWorkers, ...accounts].join(" ");
}

/** One event without any text a worker wrote. */
function describe(event: JournalEvent): string {
  const about = `${event.type} ${event.delegation ?? ""} ${event.attempt}`;
  switch (event.type) {
    case "delegation-closed":
      return `${about} ${event.data.outcome} ${event.data.code ?? ""}`;
    case "delegation-returned":
      return `${about} ${event.data.status}`;
    case "attempt-retried":
      return `${about} ${event.data.kind ?? ""}`;
    case "return-rejected":
      return `${about} ${event.data.codes.join(" ")}`;
    default:
      return about;
  }
}
