import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Repository } from "../git/repository.ts";
import { readObjects } from "./read-objects.ts";
import { dirname } from "node:path";
import { ImageFolders } from "./image-folders.ts";
import { encodeInode, encodeStart, entryKinds, getInodeNumber, ROOT_PLACE } from "./image-records.ts";
import { ImageSpace, type Place } from "./image-space.ts";
import { fillIndexEntry, type IndexEntry } from "./index-entries.ts";

/** The one folder in the root of an image: where it is not mounted, the folder is not there. */
export const FILES_FOLDER = "files";

const LINK_TYPE = 0o120000;
const LINK_MODE = 0o120777;
const FILE_TYPE = 0o100000;
const EXECUTABLE = 0o100;
const MAX_FILE_BYTES = 0xffff_ffff;
const MAX_OWNER = 0xffff;

export interface ImageRequest {
  readonly repository: Repository;
  /** The path of the image, which must not exist. */
  readonly image: string;
  readonly entries: readonly IndexEntry[];
  /** The index of these entries: it learns what git will find when it looks at the files. */
  readonly index: Buffer;
  /** The time of every file. */
  readonly seconds: number;
}

/**
 * Writes the files of an index as one image in the format EROFS, from git's objects. False if the format cannot hold them.
 */
export async function writeImage(request: ImageRequest): Promise<boolean> {
  const file = openSync(request.image, "wx", 0o666);
  try {
    const writer = new ImageWriter(file, request);
    const ids = request.entries.map(({ id }) => id);
    const folder = dirname(request.image);
    if (!writer.canOwn || !(await readObjects({ ...request, folder, ids }, writer))) return false;
    writer.finish();
    fchmodSync(file, 0o600);
    return true;
  } finally {
    closeSync(file);
  }
}

class ImageWriter {
  readonly #file: number;
  readonly #request: ImageRequest;
  readonly #space: ImageSpace;
  readonly #folders = new ImageFolders();
  readonly #owner: { readonly user: number; readonly group: number };
  /** The permissions that this process gives new files. */
  readonly #mode: number;
  #count = 0;
  #current: { readonly place: Place; taken: number } = { place: ROOT_PLACE, taken: 0 };

  constructor(file: number, request: ImageRequest) {
    this.#file = file;
    this.#request = request;
    this.#space = new ImageSpace(file);
    const { uid, gid, mode } = fstatSync(file);
    this.#owner = { user: uid, group: gid };
    this.#mode = mode & 0o666;
  }

  get canOwn(): boolean {
    return this.#owner.user <= MAX_OWNER && this.#owner.group <= MAX_OWNER;
  }

  begin(size: number): boolean {
    const entry = this.#request.entries[this.#count];
    if (entry === undefined || size > MAX_FILE_BYTES) return false;
    this.#count += 1;
    const place = this.#space.findPlace(size);
    this.#current = { place, taken: 0 };
    const isLink = entry.mode === LINK_TYPE;
    const mode = isLink ? LINK_MODE : FILE_TYPE | this.#choosePermissions(entry.mode);
    this.#space.writeInode(place, encodeInode({ ...this.#owner, mode, links: 1, size, place }));
    this.#folders.addFile(`${FILES_FOLDER}/${entry.path}`, isLink ? entryKinds.link : entryKinds.file, place);
    const { index, seconds } = this.#request;
    fillIndexEntry(index, entry, { ...this.#owner, seconds, inode: getInodeNumber(place), size });
    return true;
  }

  take(piece: Buffer): void {
    this.#space.writeContent(this.#current.place, piece, this.#current.taken);
    this.#current.taken += piece.length;
  }

  finish(): void {
    const { seconds, entries } = this.#request;
    const mode = this.#choosePermissions(EXECUTABLE);
    const folders = this.#folders.write(this.#space, { ...this.#owner, mode, root: ROOT_PLACE });
    const bytes = this.#space.finish();
    ftruncateSync(this.#file, bytes);
    const start = encodeStart({ inodes: entries.length + folders, bytes, seconds });
    writeSync(this.#file, start, 0, start.length, 0);
  }

  /** As git chooses them: an executable file may be run by all who may read it. */
  #choosePermissions(mode: number): number {
    return (mode & EXECUTABLE) === 0 ? this.#mode : this.#mode | ((this.#mode & 0o444) >> 2);
  }
}
