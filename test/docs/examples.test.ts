import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import * as z from "zod";
import { pages, readBlocks, type Block } from "./read-blocks.ts";
import { prepareMachine, type ReaderMachine } from "./reader-machine.ts";

let machine: ReaderMachine | undefined;
afterEach(async () => {
  await machine?.project.remove();
  machine = undefined;
});

/** Lines that a test cannot run as they are, and how it looks at them instead. */
const elsewhere: readonly { readonly line: RegExp; readonly reason: string; readonly instead: string }[] = [
  { line: /^npm (ci|test)/, reason: "this is the gate itself", instead: "true" },
  { line: /^npm install -g ambit/, reason: "installs the published package", instead: "true" },
  { line: /^npm run /, reason: "a suite of its own; a pin tests that the script exists", instead: "true" },
  { line: /^npx vitest /, reason: "a test run inside a test run", instead: "true" },
  { line: /^ambit dashboard/, reason: "serves until it is stopped", instead: "ambit dashboard --help" },
  { line: /^ambit trust$/, reason: "asks in a terminal", instead: "ambit trust --yes" },
  {
    line: /^ambit template (?:search|publish|add two-reviewers)/,
    reason: "needs the index of a network",
    instead: "ambit template search --help",
  },
  { line: /^ambit template add https:/, reason: "needs a network", instead: "ambit template add --help" },
];

describe("every example on a page", () => {
  it.each(pages)("works as pasted: %s", async (page) => {
    const blocks = readBlocks(page);
    machine = prepareMachine();
    for (const block of blocks) await runBlock(machine, block);
  });

  it("names a language that says how it is tested", () => {
    const untested = pages
      .flatMap(readBlocks)
      .filter(
        ({ language }) => !["sh", "js", "json", "yaml", "markdown", "python", "text"].includes(language),
      );
    expect(untested.map(({ file, line }) => `${file}:${line}`)).toStrictEqual([]);
  });

  it("never puts backticks into double quotes, where a shell would run them", () => {
    const risky = pages
      .flatMap(readBlocks)
      .filter(({ language, text }) => language === "sh" && /"[^"\n]*`/.test(text));
    expect(risky.map(({ file, line }) => `${file}:${line}`)).toStrictEqual([]);
  });
});

async function runBlock({ project, environment }: ReaderMachine, block: Block): Promise<void> {
  const { language, text, file, line } = block;
  const place = `${file}:${line}`;
  switch (language) {
    case "sh": {
      const lines = text
        .split("\n")
        .map((words) => elsewhere.find((one) => one.line.test(words))?.instead ?? words);
      await run(place, "bash", ["--norc", "-eo", "pipefail", "-c", lines.join("\n")], {
        cwd: project.root,
        env: environment,
      });
      return;
    }
    case "js": {
      const program = join(dirname(project.root), "program.mjs");
      writeFileSync(program, text);
      await run(place, process.execPath, [program, project.root], { cwd: project.root, env: environment });
      return;
    }
    case "json":
      expect([place, typeof JSON.parse(text)]).toStrictEqual([place, "object"]);
      return;
    case "yaml":
      expect([place, parseDocument(text).errors]).toStrictEqual([place, []]);
      return;
    default:
      // Other tests read definitions and run the Python of its guide. A block of text is output.
      return;
  }
}

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const failure = z.looseObject({ code: z.unknown(), stdout: z.string(), stderr: z.string() });

async function run(example: string, program: string, words: readonly string[], place: Place): Promise<void> {
  try {
    const running = promisify(execFile)(program, [...words], { ...place, timeout: 110_000 });
    running.child.stdin?.end();
    await running;
  } catch (error) {
    const { code, stdout, stderr } = failure.parse(error);
    expect.fail(`${example} ended with ${String(code)}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  }
}
