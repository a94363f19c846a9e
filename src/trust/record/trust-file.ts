import { chmodSync, closeSync, fstatSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { openWithoutFollowing, writeFileAtomically } from "../../base/files.ts";
import { trustErrors } from "../../errors/trust.ts";

const itemSchema = () =>
  z.object({
    file: z.string(),
    field: z.string().nullable(),
    hash: z.string(),
    /** Without credentials, and cut: it is only there to show a difference later. */
    text: z.string(),
    /** The command of a criterion. */
    isCriterion: z.literal(true).optional(),
  });

/** `at` is an ISO date. */
const recordSchema = () =>
  z.object({ hash: z.string(), at: z.string(), items: z.array(itemSchema()).readonly() });

const schema = () => z.object({ version: z.literal(1), projects: z.record(z.string(), recordSchema()) });

export type TrustedItem = z.infer<ReturnType<typeof itemSchema>>;

/** A person's decision about one project. */
export type TrustRecord = z.infer<ReturnType<typeof recordSchema>>;

type Projects = Readonly<Record<string, TrustRecord>>;

/** The record of a project, by its common git folder. */
export function readTrustRecord(file: string, project: string): TrustRecord | undefined {
  const projects = readProjects(file);
  return Object.hasOwn(projects, project) ? projects[project] : undefined;
}

const MAX_PROJECTS = 2000;
const MAX_WAIT_MS = 5000;

/** Replaces the record of a project, or removes it. Other projects keep theirs. */
export async function writeTrustRecord(
  file: string,
  project: string,
  record: TrustRecord | undefined,
): Promise<void> {
  makeOwnFolder(dirname(file));
  // Loaded only here: most commands only read.
  const { waitForExclusiveLock } = await import("../../base/exclusive-lock.ts");
  // Without the lock, two commands at the same moment could lose one record; then that project is asked about again.
  const lock = await waitForExclusiveLock(join(dirname(file), "trust.lock"), { maxWaitMs: MAX_WAIT_MS });
  try {
    const others = Object.entries(readProjects(file)).filter(([name]) => name !== project);
    const newest = others.toSorted(([, one], [, other]) => other.at.localeCompare(one.at));
    const kept = newest.slice(0, MAX_PROJECTS - 1);
    const projects = Object.fromEntries(record === undefined ? kept : [[project, record], ...kept]);
    writeFileAtomically(file, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`, { isDurable: true });
  } finally {
    lock?.release();
  }
}

/** A file that others can write, a link, or half a file records nothing: the person is asked again. */
function readProjects(file: string): Projects {
  const text = readOwnFile(file);
  if (text === undefined) return {};
  try {
    return schema().parse(JSON.parse(text)).projects;
  } catch {
    // Not ours, or cut off.
    return {};
  }
}

const WRITABLE_BY_OTHERS = 0o022;

function readOwnFile(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openWithoutFollowing(file);
  } catch {
    // Missing or a link.
    return undefined;
  }
  try {
    const stats = fstatSync(descriptor);
    const isOurs = stats.isFile() && isOwnUser(stats.uid) && (stats.mode & WRITABLE_BY_OTHERS) === 0;
    return isOurs ? readFileSync(descriptor, "utf8") : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw trustErrors.folderNotOurs(folder, "it is a link or not a folder");
  if (!isOwnUser(stats.uid)) throw trustErrors.folderNotOurs(folder, `user ${stats.uid} owns it`);
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function isOwnUser(uid: number): boolean {
  return uid === (process.geteuid?.() ?? uid);
}
