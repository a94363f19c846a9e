import { BLOCK_BYTES, INODE_BYTES, type Place } from "./image-space.ts";

/** The kinds of entries of a folder, as EROFS numbers them. */
export const entryKinds = { file: 1, folder: 2, link: 7 } as const;

export interface ImageOwner {
  readonly user: number;
  readonly group: number;
}

export interface InodeFacts extends ImageOwner {
  readonly mode: number;
  readonly links: number;
  readonly size: number;
  readonly place: Place;
}

const MAGIC = 0xe0f5e1e2;
const SUPERBLOCK_AT = 1024;
const SUPERBLOCK_BYTES = 128;
const BLOCK_BITS = 12;
/** The whole content is in blocks, or its rest follows the inode. */
const layouts = { blocks: 0, restBehindInode: 2 } as const;

/** The first inode, which is the root: the superblock has 16 bits for its number. */
export const ROOT_PLACE: Place = { inode: SUPERBLOCK_AT + SUPERBLOCK_BYTES, blocks: 0, blockBytes: 0 };

/** An inode is identified by where it is. */
export function getInodeNumber({ inode }: Place): number {
  return inode / INODE_BYTES;
}

export interface ImageFacts {
  readonly inodes: number;
  readonly bytes: number;
  /** The time of every file, in seconds. */
  readonly seconds: number;
}

/** Encodes the superblock, which begins at `SUPERBLOCK_AT`; returns the first bytes of the image up to its end. */
export function encodeStart({ inodes, bytes, seconds }: ImageFacts): Buffer {
  const start = Buffer.alloc(SUPERBLOCK_AT + SUPERBLOCK_BYTES);
  const superblock = start.subarray(SUPERBLOCK_AT);
  superblock.writeUInt32LE(MAGIC, 0);
  superblock.writeUInt8(BLOCK_BITS, 12);
  superblock.writeUInt16LE(getInodeNumber(ROOT_PLACE), 14);
  superblock.writeBigUInt64LE(BigInt(inodes), 16);
  superblock.writeBigUInt64LE(BigInt(seconds), 24);
  superblock.writeUInt32LE(bytes / BLOCK_BYTES, 36);
  return start;
}

/** Encodes a compact inode: every time in it is that of the image. */
export function encodeInode({ mode, links, size, user, group, place }: InodeFacts): Buffer {
  const inode = Buffer.allocUnsafe(INODE_BYTES).fill(0);
  const layout = place.blockBytes === size ? layouts.blocks : layouts.restBehindInode;
  inode.writeUInt16LE(layout * 2, 0);
  inode.writeUInt16LE(mode, 4);
  inode.writeUInt16LE(links, 6);
  inode.writeUInt32LE(size, 8);
  inode.writeUInt32LE(place.blocks / BLOCK_BYTES, 16);
  inode.writeUInt32LE(getInodeNumber(place) >>> 0, 20);
  inode.writeUInt16LE(user, 24);
  inode.writeUInt16LE(group, 26);
  return inode;
}

/** One name in a folder. */
export interface FolderEntry {
  /** Latin-1 text: one character per byte. */
  readonly name: string;
  readonly kind: number;
  readonly place: Place;
}

const ENTRY_BYTES = 12;

/** The bytes that the entries of a folder take; the places need not be known yet. */
export function measureEntries(names: readonly string[]): number {
  const pieces = splitAtBlocks(names);
  const last = pieces.at(-1) ?? { from: 0, to: 0 };
  return (pieces.length - 1) * BLOCK_BYTES + measureBlock(names.slice(last.from, last.to));
}

/** Encodes the entries of a folder, which must be in the order of their bytes. Every block stands for itself. */
export function encodeEntries(entries: readonly FolderEntry[]): Buffer {
  const names = entries.map(({ name }) => name);
  const content = Buffer.alloc(measureEntries(names));
  for (const [block, { from, to }] of splitAtBlocks(names).entries()) {
    let nameAt = (to - from) * ENTRY_BYTES;
    for (const [index, { name, kind, place }] of entries.slice(from, to).entries()) {
      const at = block * BLOCK_BYTES + index * ENTRY_BYTES;
      content.writeBigUInt64LE(BigInt(getInodeNumber(place)), at);
      content.writeUInt16LE(nameAt, at + 8);
      content.writeUInt8(kind, at + 10);
      content.write(name, block * BLOCK_BYTES + nameAt, "latin1");
      nameAt += name.length;
    }
  }
  return content;
}

function splitAtBlocks(names: readonly string[]): readonly { readonly from: number; readonly to: number }[] {
  const pieces: { readonly from: number; readonly to: number }[] = [];
  let [from, used] = [0, 0];
  for (const [index, { length }] of names.entries()) {
    if (used + ENTRY_BYTES + length > BLOCK_BYTES) {
      pieces.push({ from, to: index });
      [from, used] = [index, 0];
    }
    used += ENTRY_BYTES + length;
  }
  return [...pieces, { from, to: names.length }];
}

function measureBlock(names: readonly string[]): number {
  return names.reduce((bytes, { length }) => bytes + ENTRY_BYTES + length, 0);
}
