import { existsSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { DelegationError } from "../../../base/delegation-error.ts";
import { projectConfigPath } from "../../../config/config-paths.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { isAgreed } from "../../ask-person.ts";
import { codeOf } from "../../input-error.ts";
import { usage } from "../../option-values.ts";
import { renderColumns } from "../../render/columns.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { visibleText } from "../../render/visible-text.ts";
import { findProject } from "../report/project-store.ts";
import { onlyPeople } from "../work/only-people.ts";
import { buildConfigText } from "./config-text.ts";
import { describedAgents, detectAgents, type FoundAgent } from "./detect-agents.ts";
import { detectProject, type ProjectFacts } from "./detect-project.ts";

/** Looks at the project and the machine, shows what it would write, and writes it once; never over anything. */
export async function initProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never sets a project up");
  const { root } = findProject(context);
  const file = projectConfigPath(root);
  const facts = detectProject(root);
  const found = await detectAgents(context);
  const agent = chooseAgent(invocation.option("agent"), describedAgents(root));
  const text = buildConfigText({ ...facts, agent, found, isMinimal: invocation.flag("minimal") });
  const setup: Setup = { root, file, facts, found, agent, text };
  if (existsSync(file)) return alreadyThere(setup);
  warnAboutAgent(context, setup);
  if (invocation.flag("dryRun"))
    return outcome(setup, { written: false, text: `${preview(setup)}\nNothing was written.` });
  context.progress(preview(setup));
  if (!(await isAgreed(context, `Write ${basename(file)}?`)))
    return { ...outcome(setup, { written: false, text: "Nothing was written." }), exitCode: exitCode.failed };
  if (!write(file, text)) return alreadyThere(setup);
  const line = renderVerdict({ ok: true, message: `${file} is written` }, context);
  return outcome(setup, { written: true, text: `${line}\n  next  ${nextCommand(setup)}` });
}

interface Setup {
  readonly root: string;
  readonly file: string;
  readonly facts: ProjectFacts;
  readonly found: readonly FoundAgent[];
  readonly agent: string | undefined;
  readonly text: string;
}

const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The one that was named; else the project's only one. Of several nobody is guessed. */
function chooseAgent(named: string | undefined, described: readonly string[]): string | undefined {
  if (named !== undefined && !AGENT_NAME.test(named))
    throw usage(`--agent ${JSON.stringify(named)} is no name of an agent`, "Use letters, digits, - and _.");
  const [first, ...more] = described;
  return named ?? (more.length === 0 ? first : undefined);
}

function warnAboutAgent(context: CommandContext, { root, agent }: Setup): void {
  if (agent === undefined || describedAgents(root).includes(agent)) return;
  context.warn(`nobody describes the agent ${agent} yet: write .ambit/agents/${agent}.md`);
}

function preview({ root, file, facts, found, text }: Setup): string {
  const agents = found.map(({ name, version }) => `${name} ${version ?? "(version unknown)"}`).join(", ");
  const rows = [
    ["project", root],
    ["languages", facts.languages.join(", ") || "none recognised"],
    [
      "tests",
      facts.test === undefined ? "no command found" : `${facts.test.command}  (${facts.test.because})`,
    ],
    ["agents", agents || "none on PATH; any program works after --"],
    ["writes", file],
  ];
  const lines = text.trimEnd().split("\n");
  return visibleText([renderColumns(rows), "", ...lines.map((line) => `  ${line}`.trimEnd())].join("\n"));
}

/** Created, never replaced: somebody may have made it a moment ago. */
function write(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw new DelegationError({
      code: "OUTPUT_UNWRITABLE",
      message: `${file} could not be written (${codeOf(error)})`,
      recommendation: "Check who owns the folder and whether the disk is full.",
      cause: error,
    });
  }
}

function alreadyThere(setup: Setup): CommandOutcome {
  const name = basename(setup.file);
  return outcome(setup, {
    written: false,
    text: `${setup.file} is there already and stays as it is.\n  see     ambit config list\n  change  ambit config set <key> <value>`,
    note: `${name} is there already`,
  });
}

function nextCommand({ agent }: Setup): string {
  return agent === undefined
    ? 'ambit run "What is to be done" -- <program>'
    : `ambit run "What is to be done" --agent ${agent}`;
}

function outcome(
  { file, facts, found, agent, text }: Setup,
  {
    written,
    text: answer,
    note,
  }: { readonly written: boolean; readonly text: string; readonly note?: string },
): CommandOutcome {
  return {
    exitCode: exitCode.completed,
    json: {
      file,
      written,
      note: note ?? null,
      languages: facts.languages,
      test: facts.test?.command ?? null,
      agents: found,
      default_agent: agent ?? null,
      content: text,
    },
    text: answer,
  };
}
