export interface PatchLine {
  readonly kind: "same" | "added" | "removed" | "hunk" | "note";
  readonly text: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

export interface PatchFile {
  readonly path: string;
  readonly lines: readonly PatchLine[];
}

/** Parses git's output: a section per file, with hunks of numbered lines. */
export function parsePatch(patch: string): readonly PatchFile[] {
  const files: { path: string; lines: PatchLine[] }[] = [];
  const reader = new HunkReader();
  for (const line of patch.split("\n")) {
    const current = files.at(-1);
    if (line.startsWith("diff --git ")) {
      reader.leave();
      files.push({ path: readHeadingPath(line), lines: [] });
    } else if (current !== undefined) {
      const path = reader.isInHunk ? undefined : readPath(line);
      if (path !== undefined) current.path = path;
      const read = reader.read(line);
      if (read !== undefined) current.lines.push(read);
    }
  }
  return files;
}

/** `+++ b/src/a.ts`; a file that was deleted keeps the name of its heading. */
function readPath(line: string): string | undefined {
  if (!line.startsWith("+++ ") || line.startsWith("+++ /dev/null")) return undefined;
  return unquoted(line.slice(4)).slice(2);
}

function readHeadingPath(line: string): string {
  const names = line.slice("diff --git ".length);
  const second = names.lastIndexOf(" b/");
  return second === -1 ? unquoted(names) : names.slice(second + 3);
}

function unquoted(name: string): string {
  return name.startsWith('"') && name.endsWith('"') ? name.slice(1, -1) : name;
}

/** Facts that the list of files does not contain. */
const notes = ["Binary files", "rename from", "rename to", "old mode", "new mode"];

/** Counts the lines of both sides through a hunk. */
class HunkReader {
  #oldLine = 0;
  #newLine = 0;
  #oldLeft = 0;
  #newLeft = 0;

  get isInHunk(): boolean {
    return this.#oldLeft > 0 || this.#newLeft > 0;
  }

  leave(): void {
    this.#oldLeft = 0;
    this.#newLeft = 0;
  }

  read(line: string): PatchLine | undefined {
    if (line.startsWith("@@ ")) return this.#enter(line);
    if (line.startsWith("\\")) return { kind: "note", text: line.slice(2), oldLine: null, newLine: null };
    if (!this.isInHunk) return readNote(line);
    const text = line.slice(1);
    if (line.startsWith("+")) {
      this.#newLeft -= 1;
      return { kind: "added", text, oldLine: null, newLine: this.#newLine++ };
    }
    if (line.startsWith("-")) {
      this.#oldLeft -= 1;
      return { kind: "removed", text, oldLine: this.#oldLine++, newLine: null };
    }
    this.#oldLeft -= 1;
    this.#newLeft -= 1;
    return { kind: "same", text, oldLine: this.#oldLine++, newLine: this.#newLine++ };
  }

  /** `@@ -1,4 +1,6 @@ function name`; a count that is not there is 1. */
  #enter(line: string): PatchLine {
    const [, before = "", after = ""] = line.split(" ");
    [this.#oldLine, this.#oldLeft] = readRange(before);
    [this.#newLine, this.#newLeft] = readRange(after);
    return { kind: "hunk", text: line, oldLine: null, newLine: null };
  }
}

function readRange(text: string): readonly [number, number] {
  const [start = "0", count = "1"] = text.slice(1).split(",");
  return [Number(start), Number(count)];
}

function readNote(line: string): PatchLine | undefined {
  const isNote = notes.some((start) => line.startsWith(start));
  return isNote ? { kind: "note", text: line, oldLine: null, newLine: null } : undefined;
}
