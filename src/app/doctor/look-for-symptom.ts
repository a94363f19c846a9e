import { nameOutcome } from "../../contract/outcome.ts";
import type { Delegation, StoreReader } from "../../journal/store.ts";
import { findLeftovers, describeOrphan } from "../../orchestrator/find-leftovers.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { journalEventSchema, type JournalEvent } from "../../contract/journal-event.ts";
import type { AppContext } from "../project/app-context.ts";
import { openWorkspaces } from "../project/open-project.ts";

/** The store, and whether a supervisor is working on it. */
export interface Surroundings {
  readonly context: AppContext;
  readonly reader: StoreReader;
  readonly isSupervised: boolean;
  readonly nowMs: number;
}

/** One thing found here that fits the symptom: about which work, and what. */
export interface Sighting {
  readonly id: string | null;
  readonly what: string;
}

export type Look = (surroundings: Surroundings) => Promise<readonly Sighting[]>;

const MAX_OPEN = 1000;
const MAX_STORIES = 50;
const ROUTES_SHOWN = 5;

/** For each symptom, what of it can be seen in this project right now. */
export const looks: ReadonlyMap<string, Look> = new Map<string, Look>([
  ["hang", lookForHanging],
  ["loop", (here) => lookForTold(here, ["CYCLE_DETECTED", "AGENT_LOOPED"])],
  ["timeout", lookForTimeouts],
  ["validation", lookForReturns],
  ["routing", lookAtRoutes],
  ["settle", lookForUnsettled],
  ["result", lookForResults],
  ["unverified", (here) => lookForTold(here, ["CRITERION_UNVERIFIED", "CRITERION_FAILED"])],
  ["worktrees", lookForWorktrees],
]);

const MAX_EVENTS = 5000;

async function lookForHanging({ reader, isSupervised, nowMs }: Surroundings): Promise<readonly Sighting[]> {
  const open = await reader.openDelegations(MAX_OPEN);
  const approvals = await reader.openApprovals(MAX_OPEN);
  const unattended = open.length > 0 && !isSupervised;
  return [
    ...(unattended ? [{ id: null, what: `${open.length} open, and no supervisor runs` }] : []),
    ...approvals.map(({ delegation, question }) => ({ id: delegation, what: `waits for you: ${question}` })),
    ...open.map(({ id, state, admittedAt, turn }) => {
      const held = turn.heldBy === null || turn.notBeforeMs <= nowMs ? "" : `, until ${turn.heldBy} has room`;
      return { id, what: `${state} since ${renderDuration(nowMs - Date.parse(admittedAt))}${held}` };
    }),
  ];
}

async function lookForTimeouts({ reader }: Surroundings): Promise<readonly Sighting[]> {
  const stopped = (await newest(reader)).filter(({ code }) => code === "TIMEOUT" || code === "STALLED");
  const { durationMs, finished } = await reader.totals();
  const usual = finished === 0 ? "" : `; 95 of 100 here end within ${renderDuration(durationMs.p95)}`;
  return stopped.map(({ id, code, timeoutSeconds }) => ({
    id,
    what: `${code ?? ""} with a limit of ${renderDuration(timeoutSeconds * 1000)}${usual}`,
  }));
}

async function lookForReturns(here: Surroundings): Promise<readonly Sighting[]> {
  const told = await readEvents(here.reader);
  return told.returns.map(({ id, codes }) => ({ id, what: `return refused: ${codes.join(", ")}` }));
}

async function lookForTold(here: Surroundings, codes: readonly string[]): Promise<readonly Sighting[]> {
  const told: Told = await readEvents(here.reader);
  const refused = told.refusals.filter(({ code }) => codes.includes(code));
  const ended = (await newest(here.reader)).filter(({ code }) => code !== null && codes.includes(code));
  return [
    ...refused.map(({ id, code, message }) => ({ id, what: `${code}: ${message}` })),
    ...ended.map(({ id, code, summary }) => ({ id, what: `${code ?? ""}: ${summary}` })),
  ];
}

/** The agents chosen for the newest stories, with the recorded reasons. */
async function lookAtRoutes({ reader }: Surroundings): Promise<readonly Sighting[]> {
  const stories = await reader.stories(ROUTES_SHOWN);
  const { reasons } = await readEvents(reader);
  const roots = await Promise.all(stories.map(({ id }) => reader.delegation(id)));
  return roots.flatMap((root) => {
    if (root === undefined) return [];
    const agent = root.path.at(-1) ?? root.agent ?? "no agent";
    return [{ id: root.id, what: `${agent}: ${reasons.get(root.id) ?? "no reason was kept"}` }];
  });
}

async function lookForUnsettled({ reader, isSupervised }: Surroundings): Promise<readonly Sighting[]> {
  const open = await reader.openDelegations(MAX_OPEN);
  const late = open.filter(({ state }) => ["returned", "verified", "merged"].includes(state));
  const hint = isSupervised ? "" : ", and no supervisor runs: ambit doctor --fix";
  return late.map(({ id, state }) => ({ id, what: `is still ${state}${hint}` }));
}

async function lookForResults({ reader }: Surroundings): Promise<readonly Sighting[]> {
  const all = await newest(reader);
  const managers = new Map(all.map((delegation) => [delegation.id, delegation]));
  return all
    .filter(({ depth, outcome }) => depth > 0 && outcome !== null && outcome !== "completed")
    .map(({ id, outcome, code, parent }) => {
      const manager = managers.get(parent ?? "");
      const of = manager === undefined ? "" : `; its manager ${manager.id} is ${manager.state}`;
      const why = code === null ? "" : ` (${code})`;
      return { id, what: `${nameOutcome(outcome ?? "")}${why}: not merged, on branch delegation/${id}${of}` };
    });
}

async function lookForWorktrees({ context, reader }: Surroundings): Promise<readonly Sighting[]> {
  const leftovers = await findLeftovers(await openWorkspaces(context), reader);
  const kept = await reader.closedWithWorkspace(MAX_OPEN);
  return [
    ...leftovers.map((orphan) => ({ id: null, what: describeOrphan(orphan) })),
    ...kept.map(({ id, workspace }) => ({
      id,
      what: `ended, and ${workspace?.path ?? "its workspace"} is kept`,
    })),
  ];
}

/** The newest stories with everything below them. */
async function newest(reader: StoreReader): Promise<readonly Delegation[]> {
  const trees: (readonly Delegation[])[] = [];
  for (const { id } of await reader.stories(MAX_STORIES)) trees.push(await reader.storyTree(id));
  return trees.flat();
}

/** Facts of the newest events that no projection keeps. */
interface Told {
  readonly returns: readonly { readonly id: string; readonly codes: readonly string[] }[];
  readonly refusals: readonly { readonly id: string; readonly code: string; readonly message: string }[];
  /** Why an agent was chosen, by delegation: the first note of each. */
  readonly reasons: ReadonlyMap<string, string>;
}

async function readEvents(reader: StoreReader): Promise<Told> {
  const stored = await reader.newestEvents(MAX_EVENTS);
  const events = stored.flatMap(({ body }) => {
    const event = journalEventSchema.safeParse(JSON.parse(body));
    return event.success ? [event.data] : [];
  });
  return {
    returns: events.flatMap((event) =>
      event.type === "return-rejected" ? [{ id: ownerOf(event), codes: event.data.codes }] : [],
    ),
    refusals: events.flatMap((event) =>
      event.type === "delegation-refused"
        ? event.data.failures.map(({ code, message }) => ({ id: event.data.parent, code, message }))
        : [],
    ),
    reasons: reasonsOf(events),
  };
}

function reasonsOf(events: readonly JournalEvent[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const event of events) {
    const owner = ownerOf(event);
    if (event.type !== "note-added" || event.data.unserved !== undefined) continue;
    if (!reasons.has(owner)) reasons.set(owner, event.data.text);
  }
  return reasons;
}

function ownerOf({ delegation, story }: JournalEvent): string {
  return delegation ?? story;
}
