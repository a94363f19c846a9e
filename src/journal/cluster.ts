import { hostname } from "node:os";
import { clusterErrors } from "../errors/cluster.ts";
import { chainHash, emptyChainHash } from "./model/hash-chain.ts";
import { checkServer, type ServerFacts } from "./postgres/check-server.ts";
import { copyToCluster, readHashAt, readLocalHead } from "./postgres/copy-to-cluster.ts";
import { type KnownMachine, listMachines, Machines, type MachineWish } from "./postgres/machines.ts";
import { type Membership, readMembership, removeMembership, writeMembership } from "./postgres/membership.ts";
import { openClusterStore, requireAddress } from "./postgres/open-cluster-store.ts";
import { PgSession } from "./postgres/pg-session.ts";
import { RemoteJournal, type Head, type Holder } from "./postgres/remote-journal.ts";
import { clusterVersion } from "./postgres/schema.ts";
import { setUpCluster } from "./postgres/set-up-cluster.ts";

export { readMembership, requireAddress };

/** A project and the cluster that its shell names. */
export interface ClusterWish {
  readonly file: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface ClusterFacts extends ServerFacts {
  /** Host, port and database. */
  readonly place: string;
  /** The journal's head in PostgreSQL; undefined if the database does not know the project. */
  readonly there: Head | undefined;
  readonly here: Head;
  /** Whether this project works on the journal of the cluster. */
  readonly isMember: boolean;
  /** The machine that runs the work. */
  readonly holder: Holder | undefined;
  readonly runsHere: boolean;
  /** The machines that run attempts, or did so last. */
  readonly machines: readonly KnownMachine[];
}

/** Reads the state of both sides and changes nothing. */
export function readCluster(wish: ClusterWish): Promise<ClusterFacts> {
  return withSession(wish, (session) => readFacts(session, wish));
}

/**
 * Makes the schema and the project in PostgreSQL, and joins it if this machine's journal is the beginning of that one. A project
 * with events of its own stays embedded until they are imported.
 */
export function joinCluster(wish: ClusterWish, how: "ask" | "take" = "ask"): Promise<ClusterFacts> {
  return withSession(wish, async (session) => {
    // A role that may only work in a cluster cannot create the project, but can join it once it exists.
    if ((await readFacts(session, wish)).there === undefined) await setUpCluster(session, wish.project);
    const facts = await readFacts(session, wish);
    const there = facts.there ?? { seq: 0, hash: emptyChainHash };
    if (there.seq === 0 && facts.here.seq > 0) return facts;
    await requireBeginning(session, wish, { here: facts.here, there });
    await claimAs(session, writeMembership(wish.file, wish.project), how);
    const joined = await readFacts(session, wish);
    // The role is never taken from a live process.
    if (how === "take" && !joined.runsHere) throw clusterErrors.stillCoordinated(joined.holder?.name ?? "");
    return joined;
  });
}

/** For a machine that runs attempts: it takes the project's journal as it is, and no role. */
export function joinAsWorker(wish: ClusterWish): Promise<Membership> {
  return withSession(wish, async (session) => {
    const { there, here, place } = await readFacts(session, wish);
    if (there === undefined) throw clusterErrors.notSetUp(place);
    await requireBeginning(session, wish, { here, there });
    return writeMembership(wish.file, wish.project);
  });
}

/** Copies this machine's journal into the empty one of the cluster, byte by byte, and joins. Can be repeated after a crash. */
export function importJournal(wish: ClusterWish): Promise<ClusterFacts> {
  return withSession(wish, async (session) => {
    const { schema } = await checkServer(session);
    if (schema < clusterVersion) throw clusterErrors.notSetUp(session.address.place);
    await copyToCluster(wish.file, new RemoteJournal(session, wish.project));
    await claimAs(session, writeMembership(wish.file, wish.project), "ask");
    return readFacts(session, wish);
  });
}

/** Brings everything to this machine and continues embedded. The cluster keeps its copy. Returns the number of events. */
export async function leaveCluster(wish: ClusterWish): Promise<number> {
  const { file, project, environment } = wish;
  const membership = readMembership(file);
  if (membership === undefined) throw clusterErrors.notInCluster();
  const store = await openClusterStore(file, { project, address: requireAddress(environment) });
  await store.close();
  await withSession(wish, (session) => claimAs(session, membership, "leave"));
  removeMembership(file);
  return readLocalHead(file).seq;
}

/** Leaves a request for a machine, which reads it within seconds. Returns false if no machine has this name. */
export async function askMachine(wish: ClusterWish, name: string, what: MachineWish): Promise<boolean> {
  const machines = new Machines(requireAddress(wish.environment), wish.project);
  try {
    return await machines.ask(name, what);
  } finally {
    await machines.close();
  }
}

/** Recomputes the chain from PostgreSQL itself; returns the number of the first event that was changed. */
export function findBrokenLink(wish: ClusterWish): Promise<number | undefined> {
  return withSession(wish, async (session) => {
    const remote = new RemoteJournal(session, wish.project);
    let head: Head = { seq: 0, hash: emptyChainHash };
    for (;;) {
      const news = await remote.readAfter(head.seq);
      for (const { seq, body, hash } of news.events) {
        if (seq !== head.seq + 1 || chainHash(head.hash, body) !== hash) return head.seq + 1;
        head = { seq, hash };
      }
      if (news.events.length > 0) continue;
      return head.seq === news.head.seq && head.hash === news.head.hash ? undefined : head.seq + 1;
    }
  });
}

async function withSession<Result>(
  { environment }: ClusterWish,
  action: (session: PgSession) => Promise<Result>,
): Promise<Result> {
  const session = new PgSession(requireAddress(environment));
  try {
    return await action(session);
  } finally {
    await session.close();
  }
}

async function readFacts(session: PgSession, { file, project }: ClusterWish): Promise<ClusterFacts> {
  const facts = await checkServer(session);
  const remote = new RemoteJournal(session, project);
  const there = facts.schema < clusterVersion ? undefined : await remote.findHead();
  const membership = readMembership(file);
  const isMember = membership !== undefined;
  const holder = there === undefined ? undefined : await remote.findHolder();
  const runsHere = holder !== undefined && holder.id === membership?.machine;
  const machines = there === undefined ? [] : await listMachines(session, project);
  const { place } = session.address;
  return { ...facts, place, there, here: readLocalHead(file), isMember, holder, runsHere, machines };
}

async function claimAs(
  session: PgSession,
  { project, machine }: Membership,
  how: "ask" | "take" | "leave",
): Promise<void> {
  await new RemoteJournal(session, project).claim({ id: machine, name: hostname() }, how);
}

async function requireBeginning(
  session: PgSession,
  { file, project }: ClusterWish,
  { here, there }: { readonly here: Head; readonly there: Head },
): Promise<void> {
  const remote = new RemoteJournal(session, project);
  const isBeginning = here.seq === 0 || (await remote.hashAt(here.seq)) === readHashAt(file, here.seq);
  if (!isBeginning) throw clusterErrors.diverged(session.address.place, { here: here.seq, there: there.seq });
}
