import { StringDecoder } from "node:string_decoder";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { parseJson } from "../../base/json.ts";
import { nothingRead, readUsageEvent, type UsageReading } from "./read-usage.ts";

/** Reads the bytes of an answer as they pass. It holds only the event that is arriving. */
export interface UsageTap {
  write(bytes: Buffer): void;
  reading(): UsageReading;
  /** Resolves when all written bytes have been read. */
  end(): Promise<UsageReading>;
}

export interface AnswerForm {
  readonly contentType: string;
  readonly contentEncoding: string;
}

/** A longer event or document is not read, and its usage is estimated. */
const MAX_LENGTH = 16 * 1024 * 1024;

export function createUsageTap(form: AnswerForm): UsageTap {
  let reading = nothingRead;
  const take = (text: string): void => {
    const value = parseJson(text);
    if (value !== undefined) reading = readUsageEvent(reading, value);
  };
  const reader = form.contentType.includes("event-stream") ? createEventReader(take) : documentReader(take);
  const unpacker = chooseUnpacker(form.contentEncoding);
  if (unpacker === undefined)
    return {
      write: reader.write,
      reading: () => reading,
      end: () => {
        reader.end();
        return Promise.resolve(reading);
      },
    };
  const unpacked = unpackInto(unpacker, reader);
  return {
    write: (bytes) => void unpacker.write(bytes),
    reading: () => reading,
    end: async () => {
      unpacker.end();
      await unpacked;
      return reading;
    },
  };
}

interface Reader {
  readonly write: (bytes: Buffer) => void;
  readonly end: () => void;
}

/** Searches only the new bytes for line ends, so an endless line costs no more than its length. */
function createEventReader(take: (text: string) => void): Reader {
  const decoder = new StringDecoder("utf8");
  let pieces: string[] = [];
  let length = 0;
  const endLine = (): void => {
    const line = pieces.join("");
    pieces = [];
    length = 0;
    if (line.startsWith("data:")) take(line.slice("data:".length));
  };
  const add = (text: string): void => {
    length += text.length;
    // The rest of an overlong line does not begin with `data:` any more.
    if (length > MAX_LENGTH) pieces = ["too long"];
    else pieces.push(text);
  };
  const write = (bytes: Buffer): void => {
    const lines = decoder.write(bytes).split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) endLine();
      add(line);
    }
  };
  return { write, end: endLine };
}

function documentReader(take: (text: string) => void): Reader {
  let pieces: Buffer[] = [];
  let length = 0;
  return {
    write: (bytes) => {
      length += bytes.length;
      if (length > MAX_LENGTH) pieces = [];
      else pieces.push(bytes);
    },
    end: () => {
      const document = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      take(document);
    },
  };
}

/** We ask for plain answers, but some servers compress them all the same. */
function chooseUnpacker(encoding: string): Transform | undefined {
  switch (encoding) {
    case "gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function unpackInto(unpacker: Transform, reader: Reader): Promise<void> {
  unpacker.on("data", (bytes: Buffer) => reader.write(bytes));
  return new Promise((resolve) => {
    const finish = (): void => {
      reader.end();
      resolve();
    };
    unpacker.on("end", finish);
    // Cut off in the middle; everything before has been read.
    unpacker.on("error", finish);
  });
}
