import { writeSync } from "node:fs";

/** The block of a page, which every kernel can read. */
export const BLOCK_BYTES = 4096;
export const INODE_BYTES = 32;

const CHUNK_BYTES = 1024 * 1024;

/** Where the content of one file or folder goes: whole blocks, and the rest behind its inode. */
export interface Place {
  /** The byte of the inode in the image. */
  readonly inode: number;
  /** The byte of the first whole block; 0 without any. */
  readonly blocks: number;
  /** How much of the content is in whole blocks; what is left follows the inode. */
  readonly blockBytes: number;
}

/** A part of the image that is filled in memory and written at once. */
interface Chunk {
  readonly start: number;
  readonly bytes: Buffer;
  used: number;
}

/**
 * Hands out the space of an image from its start to its end, and writes it in large pieces. An inode and the rest behind it
 * never cross a block.
 */
export class ImageSpace {
  readonly #file: number;
  #end: number;
  #inodes: Chunk;
  #blocks: Chunk;

  constructor(file: number) {
    this.#file = file;
    // The first block has the superblock.
    this.#end = BLOCK_BYTES;
    this.#inodes = this.#newChunk();
    this.#blocks = this.#newChunk();
  }

  /** Finds room for an inode and its content. */
  findPlace(size: number): Place {
    const rest = size % BLOCK_BYTES;
    // A rest that does not fit behind an inode takes a whole block.
    const isPadded = rest > BLOCK_BYTES - INODE_BYTES;
    const blockBytes = isPadded ? size : size - rest;
    const inode = this.#takeInode(INODE_BYTES + (isPadded ? 0 : rest));
    return { inode, blockBytes, blocks: blockBytes === 0 ? 0 : this.#takeBlocks(blockBytes) };
  }

  writeInode({ inode }: Place, bytes: Buffer): void {
    this.#write(inode, bytes);
  }

  /** Writes a piece of a content, which begins so many bytes after its start; the bytes are copied. */
  writeContent({ inode, blocks, blockBytes }: Place, piece: Buffer, from = 0): void {
    const inBlocks = Math.min(Math.max(blockBytes - from, 0), piece.length);
    if (inBlocks > 0) this.#write(blocks + from, piece.subarray(0, inBlocks));
    const rest = from + inBlocks - blockBytes;
    if (inBlocks < piece.length) this.#write(inode + INODE_BYTES + rest, piece.subarray(inBlocks));
  }

  /** Writes what is still in memory; returns the size of the image. */
  finish(): number {
    this.#flush(this.#inodes);
    this.#flush(this.#blocks);
    return this.#end;
  }

  #write(position: number, bytes: Buffer): void {
    if (copyIfInside(this.#inodes, position, bytes) || copyIfInside(this.#blocks, position, bytes)) return;
    writeSync(this.#file, bytes, 0, bytes.length, position);
  }

  #takeInode(bytes: number): number {
    const chunk = this.#inodes;
    const left = BLOCK_BYTES - (chunk.used % BLOCK_BYTES);
    const at = bytes > left ? chunk.used + left : chunk.used;
    if (at + bytes > chunk.bytes.length) {
      this.#flush(chunk);
      this.#inodes = this.#newChunk();
      return this.#takeInode(bytes);
    }
    chunk.used = roundUp(at + bytes, INODE_BYTES);
    return chunk.start + at;
  }

  #takeBlocks(size: number): number {
    const bytes = roundUp(size, BLOCK_BYTES);
    // Larger content is written as it comes.
    if (bytes > CHUNK_BYTES) return this.#extend(bytes);
    if (this.#blocks.used + bytes > CHUNK_BYTES) {
      this.#flush(this.#blocks);
      this.#blocks = this.#newChunk();
    }
    const at = this.#blocks.start + this.#blocks.used;
    this.#blocks.used += bytes;
    return at;
  }

  #newChunk(): Chunk {
    return { start: this.#extend(CHUNK_BYTES), bytes: Buffer.alloc(CHUNK_BYTES), used: 0 };
  }

  #extend(bytes: number): number {
    const start = this.#end;
    this.#end += bytes;
    return start;
  }

  #flush({ start, bytes, used }: Chunk): void {
    writeSync(this.#file, bytes, 0, used, start);
  }
}

function copyIfInside({ start, bytes }: Chunk, position: number, piece: Buffer): boolean {
  const at = position - start;
  if (at < 0 || at + piece.length > bytes.length) return false;
  piece.copy(bytes, at);
  return true;
}

function roundUp(bytes: number, unit: number): number {
  return Math.ceil(bytes / unit) * unit;
}
