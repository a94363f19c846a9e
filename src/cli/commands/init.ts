import { basename, relative } from "node:path";
import type { Command } from "commander";
import type { InitAnswer, InitPlan } from "../../app/init.ts";
import { visibleText } from "../../base/visible-text.ts";
import { exitCode, type ExitCode } from "../../contract/exit-code.ts";
import { isAgreed } from "../input/ask-person.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { renderColumns } from "../render/columns.ts";
import { renderTrial } from "../render/trial.ts";
import { renderVerdict } from "../render/verdict.ts";
import { watchSignals } from "../terminal/watch-signals.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Detect this project, try its tests in a workspace and write ambit.yaml, if there is none.")
    .option("--agent <name>", "the default agent for stories")
    .option("--minimal", "write only what differs from the defaults")
    .option("--no-try", "do not run the tests here and in a fresh workspace")
    .option("--dry-run", "only show the file; run nothing")
    .action(act(initProject))
    .addHelpText("after", "\nExample:\n  ambit init --yes --agent claude");
}

async function initProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { planInit } = await import("../../app/init.ts");
  const wish = { agent: invocation.option("agent"), isMinimal: invocation.flag("minimal") };
  const first = await planInit(context, wish);
  const { answer, isThere } = first;
  if (isThere) return lookAtExisting(context, invocation, first);
  if (invocation.flag("dryRun"))
    return {
      exitCode: exitCode.completed,
      json: answer,
      text: `${visibleText(`${renderFacts(answer)}\n\n${renderFiles(answer)}`)}\nNothing was written.`,
    };
  context.progress(visibleText(renderFacts(answer)));
  const { plan, owed } = invocation.flag("try") ? await tryTests(context, first) : { plan: first };
  if (owed !== undefined) return { exitCode: owed, json: plan.answer, text: "Nothing was written." };
  return writeFiles(context, plan);
}

/** Leaves the file unchanged, but finds and reports what its workspaces lack. */
async function lookAtExisting(
  context: CommandContext,
  invocation: Invocation,
  first: InitPlan,
): Promise<CommandOutcome> {
  const { answer, trial } = first;
  const isWanted = invocation.flag("try") && !invocation.flag("dryRun");
  const mayAsk = context.yes || context.input();
  if (!isWanted || trial === undefined || !mayAsk) {
    const hint =
      trial === undefined
        ? ""
        : `\n  try     ambit init --yes    runs \`${visibleText(trial.command)}\` here and in a workspace`;
    return { exitCode: exitCode.completed, json: answer, text: `${renderExisting(answer)}${hint}` };
  }
  const { plan, owed } = await tryTests(context, first);
  const text = `${renderExisting(plan.answer)}${renderLacks(plan.answer)}`;
  return { exitCode: owed ?? exitCode.completed, json: plan.answer, text };
}

function renderLacks({ lacks }: InitAnswer): string {
  const lines = lacks.map(({ key, value }) => `  add     ambit config set ${key} ${quoteWord(value)}`);
  return lines.map((line) => `\n${visibleText(line)}`).join("");
}

function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

interface TriedPlan {
  readonly plan: InitPlan;
  /** The exit code of a signal that ended the trial. */
  readonly owed?: ExitCode | undefined;
}

/** Running the project's tests needs a yes of its own: a fresh clone may hold anything. */
async function tryTests(context: CommandContext, plan: InitPlan): Promise<TriedPlan> {
  const { trial } = plan;
  if (trial === undefined) return { plan };
  const question = `Run \`${visibleText(trial.command)}\` here and in a fresh workspace, to see whether both end alike?`;
  const isPossible = (await trial.findObstacle()) === undefined;
  if (isPossible && !(await isAgreed(context, question))) return { plan };
  const signals = watchSignals();
  try {
    const tried = await trial.run({ ...context, abort: signals.abort });
    if (tried.answer.trial !== null)
      context.progress(visibleText(`\n${renderTrial(tried.answer.trial, plan.isThere)}`));
    return { plan: tried, owed: signals.owedCode() };
  } finally {
    signals.release();
  }
}

async function writeFiles(context: CommandContext, { answer, write }: InitPlan): Promise<CommandOutcome> {
  context.progress(visibleText(`\n${renderFiles(answer)}`));
  const names = answer.files.map(({ path }) => relative(answer.project, path));
  if (!(await isAgreed(context, `Write ${names.join(" and ")}?`)))
    return { exitCode: exitCode.failed, json: answer, text: "Nothing was written." };
  const json = await write();
  return { exitCode: exitCode.completed, json, text: renderWritten(context, json) };
}

function renderFacts({ project, languages, test, test_found_in: place, ...answer }: InitAnswer): string {
  const programs = answer.agents.map(({ name, text }) => `${name} ${text}`);
  const own = answer.own_agents.length === 0 ? [] : [`of this project: ${answer.own_agents.join(", ")}`];
  return renderColumns([
    ["project", project],
    ["languages", languages.join(", ") || "none recognised"],
    ["tests", test === null ? "no command found" : `${test}  (${place ?? ""})`],
    ["agents", [...own, ...programs].join("; ") || NO_AGENTS],
  ]);
}

const NO_AGENTS = "none on PATH; a sample is written, and any program works after --";

/** Every file that would be written, as it would be. */
function renderFiles({ project, files }: InitAnswer): string {
  const texts = files.map(({ path, content }) => {
    const lines = content.trimEnd().split("\n");
    return `writes ${relative(project, path)}\n${lines.map((line) => `  ${line}`.trimEnd()).join("\n")}`;
  });
  return texts.join("\n\n");
}

function renderWritten(context: CommandContext, answer: InitAnswer): string {
  if (!answer.written) return renderExisting(answer);
  const { files, default_agent: agent } = answer;
  const lines = files
    .filter(({ written }) => written)
    .map(({ path }) => renderVerdict({ ok: true, message: `${path} is written` }, context));
  return [...lines, ...listNext(answer, agent)].join("\n");
}

/** Commands that work as written. */
function listNext({ files, obstacle, own_agents: own }: InitAnswer, agent: string | null): readonly string[] {
  const first = obstacle === null || obstacle.next === "" ? [] : [`  first  ${obstacle.next}`];
  const hasSample = files.some(({ path, written }) => written && basename(path) === "sample.sh");
  if (hasSample)
    return [
      ...first,
      "  next  ambit run 'Try it' --agent sample --check 'test -s SAMPLE.md'",
      "  then  install an agent (ambit doctor says how), or write your own: .ambit/agents/sample.sh shows how",
    ];
  const usable = agent ?? own[0];
  const how = usable === undefined ? "-- <program>" : `--agent ${usable}`;
  return [...first, `  next  ambit run "What is to be done" ${how}`];
}

function renderExisting({ file }: InitAnswer): string {
  return `${file} already exists and was not changed.\n  see     ambit config list\n  change  ambit config set <key> <value>`;
}
