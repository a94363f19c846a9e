import { closeSync, fstatSync, lstatSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathExists } from "../../base/files.ts";
import { getUpperFolder } from "../prepare/layers.ts";
import type { SlotRecord } from "../records/record.ts";
import { randomBase36 } from "../../base/ids.ts";

/** Far more writes than fit between two ticks of a coarse clock, in well under a millisecond. */
const WRITES = 20;

/** The answers, per file system. */
const answers = new Map<number, boolean>();

/** One file, folder or mark of a removal in a layer. */
export interface LayerEntry {
  readonly isFolder: boolean;
  /** A folder that shows the shared folder of its path below it, so that nothing else in it was written. */
  readonly showsShared: boolean;
  /** Changes with every write: it holds the inode and the change time, which no program can set. */
  readonly facts: string;
}

/** The entries by their path in the checkout. */
export type LayerEntries = ReadonlyMap<string, LayerEntry>;

/** The content of a checkout's layer: everything ever written at its path. */
export interface LayerState {
  readonly folder: string;
  readonly entries: LayerEntries;
  /** The facts of all entries. */
  readonly fingerprint: string;
  /** No write is so recent that another one could have the same time. */
  readonly isSettled: boolean;
}

/** With more entries than this in its layer, asking git is no slower. */
const MAX_ENTRIES = 300;
const MAX_KNOWN_STATES = 500;
/** The character that replaces bytes that are not text. */
const UNREADABLE = "\uFFFD";
/** One tick of the coarsest clock that file systems use. */
const COARSE_MS = 10;
/** Inodes of images, and of most file systems, have no more bits. */
const INODE_BITS = 32;
const MAX_INODE = 2n ** 32n - 1n;

interface KnownState {
  readonly commit: string;
  /** Undefined if something was written meanwhile, or if the files were not exactly those of the commit. */
  readonly entries: LayerEntries | undefined;
  readonly fingerprint: string;
  /** The fingerprint at the time when the checkout was given to its worker. */
  readonly fresh: string | undefined;
  /** Our index holds the commit, or will when it is asked for. */
  readonly isIndexed: boolean;
}

/** By the folder of the layer, whose name is never reused. Only for this process: after a crash, git is asked. */
const known = new Map<string, KnownState>();

/** Undefined if the files do not come from a shared tree, or too much was written. */
export function inspectLayer({ layers, path: checkout }: SlotRecord): LayerState | undefined {
  const [layer, ...others] = layers;
  if (layer === undefined || others.length > 0 || layer.target !== checkout) return undefined;
  const upper = getUpperFolder(layer.folder);
  if (!pathExists(upper)) return undefined;
  const entries = new Map<string, LayerEntry>();
  let newest = 0;
  const visit = (folder: string): boolean => {
    for (const entry of readdirSync(join(upper, folder), { withFileTypes: true })) {
      // Its content is checked elsewhere.
      if (folder === "" && entry.name === ".git" && entry.isFile()) continue;
      // A name that is not text could pass for another one.
      if (entries.size === MAX_ENTRIES || entry.name.includes(UNREADABLE)) return false;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const isFolder = entry.isDirectory();
      const { ino, size, mode, mtimeNs, ctimeNs, ctimeMs } = lstatSync(join(upper, path), { bigint: true });
      const facts = [path, ino, mode, size, mtimeNs, ctimeNs].join(" ");
      const showsShared = isFolder && showsSharedFolder({ layer, checkout }, path);
      entries.set(path, { isFolder, showsShared, facts });
      newest = Math.max(newest, Number(ctimeMs));
      if (isFolder && !visit(path)) return false;
    }
    return true;
  };
  try {
    if (!visit("")) return undefined;
  } catch {
    // An entry disappeared during the walk.
    return undefined;
  }
  const isSettled = hasFineTimes(layer.folder) || Math.abs(Date.now() - newest) > COARSE_MS;
  const fingerprint = Array.from(entries.values(), ({ facts }) => facts).join("\n");
  return { folder: layer.folder, entries, fingerprint, isSettled };
}

export interface FreshCheckout {
  readonly commit: string;
  /** It holds the commit's files, the brought and ignored ones, and nothing else. */
  readonly isExact: boolean;
}

/** Records that the checkout is about to be given to a worker. What its setup left counts as the worker's work. */
export function rememberFresh(look: LayerState | undefined, { commit, isExact }: FreshCheckout): void {
  rememberState(look, ({ entries, fingerprint }) => ({
    commit,
    entries: isExact ? entries : undefined,
    fingerprint,
    fresh: fingerprint,
    isIndexed: true,
  }));
}

export interface SavedWork {
  readonly commit: string;
  readonly isIndexed: boolean;
  /** A look at the layer after the work was saved. */
  readonly after: LayerState | undefined;
}

/** The commit contains everything that a worker wrote there before the look, except ignored files. */
export function rememberSaved(look: LayerState | undefined, { commit, isIndexed, after }: SavedWork): void {
  rememberState(look, ({ folder, entries, fingerprint }) => ({
    commit,
    // A folder could have shown another one only while it was read.
    entries: after?.fingerprint === fingerprint ? entries : undefined,
    fingerprint,
    fresh: known.get(folder)?.fresh,
    isIndexed,
  }));
}

/** Whether nothing was written since the checkout was given away. */
export function isLayerFresh(look: LayerState | undefined): boolean {
  return look !== undefined && known.get(look.folder)?.fresh === look.fingerprint;
}

/** Whether nothing was written since everything was found to be in that commit. */
export function isLayerSaved(look: LayerState | undefined, commit: string): boolean {
  const state = look === undefined ? undefined : known.get(look.folder);
  return state !== undefined && state.commit === commit && state.fingerprint === look?.fingerprint;
}

/** Whether our index of a checkout holds that commit, so that git need not look at all of it to find out. */
export function isIndexed(look: LayerState | undefined, commit: string): boolean {
  const state = look === undefined ? undefined : known.get(look.folder);
  return state?.commit === commit && state.isIndexed;
}

/** Nothing is known of a checkout any more: git is asked about all of it. */
export function forgetLayer({ layers }: SlotRecord): void {
  for (const { folder } of layers) known.delete(folder);
}

/** The entries of a layer when its checkout was found to hold exactly that commit; undefined if it is not known. */
export function recallEntries(look: LayerState, commit: string): LayerEntries | undefined {
  const state = known.get(look.folder);
  return state?.commit === commit ? state.entries : undefined;
}

function rememberState(look: LayerState | undefined, describe: (look: LayerState) => KnownState): void {
  if (look === undefined) return;
  const state = describe(look);
  // The known state no longer holds, because our index may hold another commit now.
  known.delete(look.folder);
  if (!look.isSettled) return;
  known.set(look.folder, state);
  const oldest = known.size > MAX_KNOWN_STATES ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
}

/**
 * Whether two changes of a file always have different times if the file was read between them, as Linux guarantees from
 * 6.13 on for its usual file systems. Elsewhere all changes within some milliseconds have the same time.
 */
export function hasFineTimes(folder: string): boolean {
  const { dev } = statSync(folder);
  const known = answers.get(dev);
  if (known !== undefined) return known;
  const answer = probeTimestamps(join(folder, `.times-${randomBase36(8)}`));
  answers.set(dev, answer);
  return answer;
}

function probeTimestamps(file: string): boolean {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    const times = new Set<bigint>();
    for (let count = 0; count < WRITES; count += 1) {
      writeSync(descriptor, "x", 0);
      times.add(fstatSync(descriptor, { bigint: true }).ctimeNs);
    }
    return times.size === WRITES;
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}

interface LayeredCheckout {
  readonly layer: SlotRecord["layers"][number];
  readonly checkout: string;
}

/**
 * Whether a folder in the layer shows the shared folder of its path below it, so that everything else in it is unchanged.
 * A folder that was made again hides it, and a renamed one shows another; then no file in it is the one of that path.
 */
function showsSharedFolder({ layer, checkout }: LayeredCheckout, path: string): boolean {
  const written = new Set(listNames(join(getUpperFolder(layer.folder), path)));
  return layer.lower.some((tree) => {
    const shared = listNames(join(tree, path)).find((name) => !written.has(name));
    return shared !== undefined && isSameFile(join(tree, path, shared), join(checkout, path, shared));
  });
}

function listNames(folder: string): readonly string[] {
  return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

/** A file seen through a layer has the inode of the file below it, which no other name may share. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) =>
    lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  );
  if (first === undefined || second === undefined) return false;
  if (first.ino !== second.ino && !isInodeAboveImage(first.ino, second.ino)) return false;
  return first.isDirectory() || first.nlink === 1n;
}

/** The kernel sets high bits in the inodes of files below a layer that are in another file system. */
function isInodeAboveImage(below: bigint, seen: bigint): boolean {
  return seen > MAX_INODE && BigInt.asUintN(INODE_BITS, seen) === below;
}
