import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of a document. */
export interface Block {
  readonly file: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The pages whose examples readers paste. */
export const pages: readonly string[] = [
  "README.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  ...readdirSync("docs/guides").map((name) => join("docs/guides", name)),
];

export function readBlocks(file: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    const fence = /^```(?<language>[a-z]*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined)
      open = { line: index + 1, language: fence.groups?.["language"] ?? "", lines: [] };
    else {
      blocks.push({ file, line: open.line, language: open.language, text: open.lines.join("\n") });
      open = undefined;
    }
  }
  return blocks;
}
