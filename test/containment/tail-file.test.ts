import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { FileTail, type TailLine } from "../../src/containment/tail-file.ts";

const directory = mkdtempSync(join(tmpdir(), "ambit-tail-"));
const PLENTY = { maxBytes: 1 << 30, maxMs: 60_000 };
let files = 0;

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function newFile(content: string | Uint8Array = ""): string {
  files += 1;
  const path = join(directory, `file-${files}`);
  writeFileSync(path, content);
  return path;
}

function follow(path: string, options: { offset?: number; maxLineBytes?: number } = {}) {
  const lines: TailLine[] = [];
  let shrunk = 0;
  const tail = new FileTail({
    path,
    ...options,
    onLine: (line) => lines.push(line),
    onShrink: () => (shrunk += 1),
  });
  return { tail, lines, texts: () => lines.map(({ text }) => text), shrunk: () => shrunk };
}

it("delivers a line when it is complete, and not before", () => {
  const path = newFile("one\ntw");
  const { tail, texts } = follow(path);
  tail.read(PLENTY);
  expect(texts()).toStrictEqual(["one"]);
  appendFileSync(path, "o\r\n\nthree");
  tail.read(PLENTY);
  expect(texts()).toStrictEqual(["one", "two", ""]);
  tail.finish();
  expect(texts()).toStrictEqual(["one", "two", "", "three"]);
  tail.finish();
  expect(texts()).toHaveLength(4);
  tail.close();
});

it("cuts a line that is too long, flags it, and continues with the next", () => {
  const path = newFile(`${"x".repeat(300_000)}\nshort\n${"y".repeat(100)}`);
  const { tail, lines } = follow(path, { maxLineBytes: 100 });
  tail.read(PLENTY);
  tail.finish();
  expect(lines.map(({ text, cut }) => [text.length, cut])).toStrictEqual([
    [100, true],
    [5, false],
    [100, false],
  ]);
  tail.close();
});

it("keeps at most one line in memory, whatever the file contains", () => {
  const path = newFile();
  truncateSync(path, 256 * 1024 * 1024);
  const { tail, lines } = follow(path);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  while (tail.read({ maxBytes: 8 << 20, maxMs: 1000 }));
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 1024 * 1024);
  tail.finish();
  expect(lines.map(({ text, cut }) => [text.length, cut])).toStrictEqual([[1024 * 1024, true]]);
  tail.close();
});

it("keeps to its budget of bytes and of time", () => {
  const path = newFile("x\n".repeat(2_000_000));
  const { tail, lines } = follow(path);
  expect(tail.read({ maxBytes: 1000, maxMs: 1000 })).toBe(true);
  expect(lines).toHaveLength(500);
  expect(tail.read({ maxBytes: 1 << 30, maxMs: 0 })).toBe(true);
  expect(lines.length).toBeLessThan(1000);
  while (tail.read(PLENTY));
  expect(lines).toHaveLength(2_000_000);
  expect(tail.remainingBytes).toBe(0);
  tail.close();
});

it("starts over when the file was emptied", () => {
  const path = newFile("a long first line\nand more");
  const { tail, texts, shrunk } = follow(path);
  tail.read(PLENTY);
  writeFileSync(path, "new\n");
  tail.read(PLENTY);
  expect(texts()).toStrictEqual(["a long first line", "new"]);
  expect(shrunk()).toBe(1);
  tail.close();
});

it("replaces broken bytes, flags the line and loses no other line", () => {
  const path = newFile(Buffer.from([0x61, 0xff, 0x0a, 0x00, 0x0a, 0xc3, 0xa9, 0x0a, 0xed, 0xa0, 0x80, 0x0a]));
  const { tail, lines } = follow(path);
  tail.read(PLENTY);
  expect(lines.map(({ text, repaired }) => [text, repaired])).toStrictEqual([
    ["a\uFFFD", true],
    ["\u0000", false],
    ["é", false],
    ["\uFFFD\uFFFD\uFFFD", true],
  ]);
  tail.close();
});

const anyPiece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.string({ maxLength: 20, unit: "binary" }).map((text) => Buffer.from(`${text}\n`)),
  fc.constant(Buffer.from("\r\n\n")),
);

it("gives the same lines however the bytes arrive and the reading is cut up", () => {
  fc.assert(
    fc.property(
      fc.array(anyPiece, { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      (pieces, maxBytes) => {
        const whole = Buffer.concat(pieces);
        const { tail: atOnce, lines: expected } = follow(newFile(whole));
        atOnce.read(PLENTY);
        atOnce.finish();
        atOnce.close();

        const path = newFile();
        const { tail, lines } = follow(path);
        for (const piece of pieces) {
          appendFileSync(path, piece);
          tail.read({ maxBytes, maxMs: 1000 });
        }
        while (tail.read({ maxBytes, maxMs: 1000 }));
        tail.finish();
        tail.close();
        expect(lines).toStrictEqual(expected);
        const parts = splitLines(whole);
        expect(lines.map(({ text }) => text)).toStrictEqual(parts.map((part) => part.toString("utf8")));
      },
    ),
  );
});

it("resumes after any line as if it had never stopped", () => {
  const lines = fc.array(
    fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.filter((byte) => byte !== 10)),
  );
  fc.assert(
    fc.property(lines, fc.nat(), (contents, pick) => {
      const path = newFile(Buffer.concat(contents.flatMap((bytes) => [bytes, Buffer.from("\n")])));
      const first = follow(path);
      first.tail.read(PLENTY);
      first.tail.close();
      const at = first.lines.length === 0 ? 0 : pick % first.lines.length;
      const second = follow(path, { offset: first.lines[at]?.offset ?? 0 });
      second.tail.read(PLENTY);
      second.tail.close();
      expect(second.lines).toStrictEqual(first.lines.slice(at + 1));
    }),
  );
});

/** A slow and simple model: it splits at newlines, and a carriage return before a newline belongs to the line's end. */
function splitLines(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; at += 1) {
    const isEnd = at === bytes.length;
    if (!isEnd && bytes[at] !== 10) continue;
    const line = bytes.subarray(from, at);
    if (!isEnd || line.length > 0) parts.push(line.at(-1) === 13 ? line.subarray(0, -1) : line);
    from = at + 1;
  }
  return parts;
}
