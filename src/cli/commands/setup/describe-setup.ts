import { relative } from "node:path";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandOutcome } from "../../command-module.ts";
import { renderColumns } from "../../render/columns.ts";
import { visibleText } from "../../../base/visible-text.ts";
import type { ProjectFacts } from "./detect-project.ts";
import { describeProgram, type ProgramFacts } from "./probe-programs.ts";
import type { NewFile } from "./write-new.ts";

/** What was found, and what would be written. */
export interface Setup {
  readonly root: string;
  readonly facts: ProjectFacts;
  readonly found: readonly ProgramFacts[];
  /** The project's own agents that are there already. */
  readonly described: readonly string[];
  readonly agent: string | undefined;
  readonly config: NewFile;
  readonly agents: readonly NewFile[];
}

/** Every file that would be written, as it would be. */
export function preview({ root, facts, found, config, agents }: Setup): string {
  const programs = found.map((program) => `${program.name} ${describeProgram(program)}`).join("; ");
  const rows = [
    ["project", root],
    ["languages", facts.languages.join(", ") || "none recognised"],
    [
      "tests",
      facts.test === undefined ? "no command found" : `${facts.test.command}  (${facts.test.because})`,
    ],
    ["agents", programs || "none on PATH; any program works after --"],
  ];
  const files = [config, ...agents].map((file) => `writes ${relative(root, file.path)}\n${indented(file)}`);
  return visibleText([renderColumns(rows), ...files].join("\n\n"));
}

function indented({ text }: NewFile): string {
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => `  ${line}`.trimEnd()).join("\n");
}

export interface Told {
  readonly written: readonly NewFile[];
  readonly text: string;
  readonly note?: string;
}

export function outcome(setup: Setup, { written, text, note }: Told): CommandOutcome {
  const { facts, found, agent, config, agents } = setup;
  return {
    exitCode: exitCode.completed,
    json: {
      file: config.path,
      written: written.length > 0,
      files: [config, ...agents].map(({ path, text: content }) => ({
        path,
        written: written.some((one) => one.path === path),
        content,
      })),
      note: note ?? null,
      languages: facts.languages,
      test: facts.test?.command ?? null,
      agents: found.map(({ name, version, tested, loggedIn, next }) => ({
        name,
        version,
        tested,
        logged_in: loggedIn,
        next,
      })),
      default_agent: agent ?? null,
      content: config.text,
    },
    text,
  };
}
