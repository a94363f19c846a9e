import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { builtInAgents } from "../../../agents/definitions.ts";
import { projectConfigPath } from "../../../config/config-paths.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { isAgreed } from "../../ask-person.ts";
import { usage } from "../../option-values.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { findProject } from "../../../app/open-project.ts";
import { onlyPeople } from "../work/only-people.ts";
import { buildAgentText } from "./agent-text.ts";
import { buildConfigText } from "./config-text.ts";
import { bestAgent, describedAgents, detectAgents } from "./detect-agents.ts";
import { detectProject } from "./detect-project.ts";
import { outcome, preview, type Setup } from "./describe-setup.ts";
import { writeNew, type NewFile } from "./write-new.ts";

/** Looks at the project and the machine, shows what it would write, and writes it once; never over anything. */
export async function initProject(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  onlyPeople(context, "never sets a project up");
  const setup = await planSetup(context, invocation);
  if (existsSync(setup.config.path)) return alreadyThere(setup);
  warnAboutAgent(context, setup);
  if (invocation.flag("dryRun"))
    return outcome(setup, { written: [], text: `${preview(setup)}\nNothing was written.` });
  context.progress(preview(setup));
  const names = [setup.config, ...setup.agents].map(({ path }) => relative(setup.root, path));
  if (!(await isAgreed(context, `Write ${names.join(" and ")}?`)))
    return { ...outcome(setup, { written: [], text: "Nothing was written." }), exitCode: exitCode.failed };
  if (!writeNew(setup.config)) return alreadyThere(setup);
  const written = [setup.config, ...setup.agents.filter(writeNew)];
  const lines = written.map(({ path }) =>
    renderVerdict({ ok: true, message: `${path} is written` }, context),
  );
  return outcome(setup, { written, text: `${lines.join("\n")}\n  next  ${nextCommand(setup)}` });
}

async function planSetup(context: CommandContext, invocation: Invocation): Promise<Setup> {
  const { root } = findProject(context);
  const facts = detectProject(root);
  const found = await detectAgents(context);
  const described = await describedAgents(root);
  const agent = chooseAgent(invocation.option("agent"), described, bestAgent(found));
  const isMinimal = invocation.flag("minimal");
  const config = {
    path: projectConfigPath(root),
    text: buildConfigText({ ...facts, agent, found, isMinimal }),
  };
  const agents = described.length > 0 || agent === undefined ? [] : newAgents(root, agent);
  return { root, facts, found, described, agent, config, agents };
}

const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The one that was named; else the project's only one; else an installed program. Of several nobody is guessed. */
function chooseAgent(
  named: string | undefined,
  described: readonly string[],
  installed: string | undefined,
): string | undefined {
  if (named !== undefined && !AGENT_NAME.test(named))
    throw usage(`--agent ${JSON.stringify(named)} is no name of an agent`, "Use letters, digits, - and _.");
  if (named !== undefined) return named;
  const [only, ...more] = described;
  if (only === undefined) return installed;
  return more.length === 0 ? only : undefined;
}

/** Only a program we can drive is written down; whoever else is named has to be described by who knows it. */
function newAgents(root: string, agent: string): readonly NewFile[] {
  const path = join(root, ".ambit", "agents", `${agent}.md`);
  return builtInAgents.includes(agent) && !existsSync(path) ? [{ path, text: buildAgentText(agent) }] : [];
}

function warnAboutAgent(context: CommandContext, { agent, described, found }: Setup): void {
  if (agent === undefined || described.includes(agent)) return;
  if (!builtInAgents.includes(agent))
    context.warn(`nobody describes the agent ${agent} yet: write .ambit/agents/${agent}.md`);
  else if (!found.some(({ name }) => name === agent))
    context.warn(`${agent} is not installed on this machine; ambit doctor says how to get it`);
}

function alreadyThere(setup: Setup): CommandOutcome {
  const { path } = setup.config;
  return outcome(setup, {
    written: [],
    text: `${path} is there already and stays as it is.\n  see     ambit config list\n  change  ambit config set <key> <value>`,
    note: `${basename(path)} is there already`,
  });
}

function nextCommand({ agent }: Setup): string {
  return agent === undefined
    ? 'ambit run "What is to be done" -- <program>'
    : `ambit run "What is to be done" --agent ${agent}`;
}
