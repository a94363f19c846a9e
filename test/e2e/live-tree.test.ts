import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textWidth } from "../../src/cli/terminal/text-width.ts";
import { VirtualTerminal } from "../cli/reporters/virtual-terminal.ts";
import { makeProject, type Project } from "./project.ts";

let project: Project;

beforeAll(() => {
  project = makeProject();
});

afterAll(() => project.remove());

const finish = `printf '{"status":"completed","summary":"Wrote it. It is short.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"`;

/** Colours, a window title, a cleared screen, reordered and wide letters, a line of a megabyte. */
const hostile = [
  String.raw`printf '\033[31mred\033[2J\033[H\033]0;owned\007 \342\200\256txet 日本語 👩 \r overwritten\n'`,
  `head -c 1000000 /dev/zero | tr '\\0' 'x'; echo`,
].join("; ");

/** The output of a command on a terminal, with the line ends that the command wrote. */
async function onTerminal(...words: string[]): Promise<string> {
  const child = project.start("terminal", ...words);
  if (child.stdout === null) throw new Error("nothing to read from");
  child.stdin?.end();
  const written = await text(child.stdout);
  return written.replaceAll("\r\n", "\n");
}

describe("a live tree on a real terminal", () => {
  it("shows a worker's hostile output harmlessly, never wider than the terminal, and restores the terminal", async () => {
    const line = `cat > /dev/null; ${hostile}; echo x > b.txt; ${finish}`;
    const words = ["run", "Schreib 日本語 \u202etxt", "--id", "T1", "--accept", "file b.txt exists"];
    const written = await onTerminal(...words, "--reporter", "tree", "--in-process", "--", "sh", "-c", line);
    // Obeys only what a tree may write, and fails the test at anything else.
    const terminal = new VirtualTerminal(80, 24);
    terminal.write(written);
    const lines = terminal.screen().split("\n");
    expect(lines.filter((one) => textWidth(one) > 80)).toStrictEqual([]);
    expect(terminal.screen()).toContain("✔ worker");
    expect(terminal.screen()).toContain("Schreib 日本語");
    expect(terminal.screen()).not.toContain("\u202e");
    expect(written).not.toContain("owned");
    expect([terminal.isCursorVisible, terminal.isWrapping, terminal.isInFrame]).toStrictEqual([
      true,
      true,
      false,
    ]);
  });

  it("is plain ASCII without colour on request", async () => {
    const line = `cat > /dev/null; echo x > c.txt; ${finish}`;
    const words = ["run", "Write", "--id", "T2", "--accept", "file c.txt exists", "--ascii", "--no-color"];
    const written = await onTerminal(...words, "--reporter", "tree", "--in-process", "--", "sh", "-c", line);
    const terminal = new VirtualTerminal(80, 24);
    terminal.write(written);
    expect(terminal.screen()).toContain("+ worker");
    // oxlint-disable-next-line no-control-regex
    expect(terminal.screen()).toMatch(/^[\u0000-\u007f]*$/);
    // oxlint-disable-next-line no-control-regex
    expect(written).not.toMatch(/\u001b\[\d*m/);
  });
});
