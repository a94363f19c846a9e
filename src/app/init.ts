import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";
import { builtInAgents } from "../agents/definitions.ts";
import { projectConfigPath } from "../config/config-paths.ts";
import { loadConfig } from "../config/load-config.ts";
import type { ConfigValues } from "../contract/config.ts";
import { usageError } from "../errors/usage.ts";
import { bestAgent, describedAgents, detectAgents } from "./agents/detect-agents.ts";
import { describeProgram, type ProgramFacts } from "./agents/probe-programs.ts";
import type { AppContext } from "./project/app-context.ts";
import { buildAgentText, sampleAgent, sampleAgentText, sampleScriptText } from "./init/agent-text.ts";
import { buildConfigText } from "./init/config-text.ts";
import { detectProject, type ProjectFacts } from "./init/detect-project.ts";
import {
  describeMissingTrial,
  describeTrial,
  trialSchema,
  type TrialAnswer,
} from "./init/trial/describe-trial.ts";
import { listLacks } from "./init/trial/list-lacks.ts";
import { offerSchema } from "./init/offer-schema.ts";
import { writeNew, type NewFile } from "./init/write-new.ts";
import { configInput } from "./project/config-input.ts";
import { findObstacle, refuseBareRepository, type Obstacle } from "./project/check-place.ts";
import { findProject } from "./project/open-project.ts";
import { requirePerson } from "./project/require-person.ts";
import { isTrusted, keepTrust } from "./project/require-trust.ts";
import { defineUseCase } from "./use-case.ts";

const input = () =>
  z.strictObject({
    agent: z.string().optional().describe("The default agent for stories"),
    isMinimal: z.boolean().default(false).describe("Only what differs from the defaults"),
    isDryRun: z.boolean().default(false),
    tries: z
      .boolean()
      .default(false)
      .describe(
        "Run the test command here and in a fresh workspace, and write settings that make both equal",
      ),
  });

const output = () =>
  z.looseObject({
    project: z.string(),
    file: z.string(),
    written: z.boolean(),
    files: z.array(z.looseObject({ path: z.string(), written: z.boolean(), content: z.string() })),
    note: z.string().nullable(),
    languages: z.array(z.string()),
    test: z.string().nullable(),
    test_found_in: z.string().nullable(),
    agents: z.array(
      z.looseObject({
        name: z.string(),
        version: z.string().nullable(),
        tested: z.boolean().nullable(),
        logged_in: z.boolean().nullable(),
        next: z.string().nullable(),
        text: z.string(),
      }),
    ),
    default_agent: z.string().nullable(),
    own_agents: z.array(z.string()).describe("The agents that the project defines already"),
    obstacle: z
      .looseObject({ message: z.string(), next: z.string() })
      .nullable()
      .describe(
        "Why no story can start here, and what to do about it; looked for when the files are written",
      ),
    trial: trialSchema().nullable().describe("Null where nothing was asked for or no test command was found"),
    lacks: z
      .array(z.looseObject({ key: z.string(), value: z.string() }))
      .describe("The settings that an existing ambit.yaml lacks, as values for config set"),
    content: z.string(),
  });

export type InitAnswer = z.output<ReturnType<typeof output>>;

/** Looks at the project and the machine and writes ambit.yaml and an agent; never over anything. */
export const initUseCase = defineUseCase({
  input,
  output,
  onlyPeople: "never sets a project up",
  run: async (context, wish) => {
    const first = await planInit(context, wish);
    const plan = wish.tries && !wish.isDryRun ? ((await first.trial?.run(context)) ?? first) : first;
    return wish.isDryRun ? plan.answer : await plan.write();
  },
});

/** The file that would be written. A person may look at it before `write` writes it. */
export interface InitPlan {
  readonly answer: InitAnswer;
  readonly isThere: boolean;
  /** Absent where no test command was found. */
  readonly trial: PlannedTrial | undefined;
  readonly write: () => Promise<InitAnswer>;
}

export interface PlannedTrial {
  readonly command: string;
  /** Why the tests cannot be tried here. */
  readonly findObstacle: () => Promise<string | undefined>;
  /** Runs the tests and plans again with what they showed. Only a person's own command may call it. */
  readonly run: (context: AppContext) => Promise<InitPlan>;
}

interface InitWish {
  readonly agent?: string | undefined;
  readonly isMinimal: boolean;
}

export async function planInit(context: AppContext, wish: InitWish): Promise<InitPlan> {
  await requirePerson(context, "never sets a project up");
  await refuseBareRepository(context);
  const setup = await planSetup(context, wish);
  const isThere = existsSync(setup.config.path);
  if (!isThere) warnAboutAgent(context, setup);
  const values = isThere ? await readValues(context) : undefined;
  const command = values?.verification.test ?? setup.facts.test?.command;
  const trial = command === undefined ? undefined : planTrial(context, { wish, setup, command, values });
  return { ...planFiles(context, setup, isThere), trial };
}

async function readValues(context: AppContext): Promise<ConfigValues | undefined> {
  try {
    return (await loadConfig(configInput(context))).values;
  } catch {
    // The file has errors, which `ambit config check` names.
    return undefined;
  }
}

function planFiles(context: AppContext, setup: Setup, isThere: boolean): Omit<InitPlan, "trial"> {
  const note = `${basename(setup.config.path)} is there already`;
  return {
    answer: describeSetup(setup, [], isThere ? note : null),
    isThere,
    write: async () => {
      if (isThere) return describeSetup(setup, [], note);
      const obstacle = await findObstacle(context);
      await offerSchema(setup.root, context.version);
      return keepTrust(context, () => {
        if (!writeNew(setup.config)) return describeSetup(setup, [], note);
        const written = [setup.config, ...setup.agents.filter(writeNew)];
        return { ...describeSetup(setup, written, null), obstacle: describeObstacle(obstacle) };
      });
    },
  };
}

interface TrialWish {
  readonly wish: InitWish;
  readonly setup: Setup;
  readonly command: string;
  /** The settings of an ambit.yaml that is there already; it stays as it is. */
  readonly values: ConfigValues | undefined;
}

function planTrial(context: AppContext, { wish, setup, command, values }: TrialWish): PlannedTrial {
  const run = async (running: AppContext): Promise<InitPlan> => {
    const trial = await runTrialIfPossible(running, command);
    const config = { ...setup.config, text: buildText(wish, setup, trial.settings) };
    const lacks = values === undefined ? [] : listLacks(trial.settings, values.workspace);
    const isThere = existsSync(setup.config.path);
    return { ...planFiles(context, { ...setup, config, trial, lacks }, isThere), trial: undefined };
  };
  return { command, findObstacle: () => findTrialObstacle(context), run };
}

async function runTrialIfPossible(context: AppContext, command: string): Promise<TrialAnswer> {
  const obstacle = await findTrialObstacle(context);
  if (obstacle !== undefined) return describeMissingTrial(obstacle);
  const { runTrial } = await import("./init/trial/run-trial.ts");
  return describeTrial(await runTrial(context, command));
}

/** A project that names something to run has to be trusted before anything of it runs. */
async function findTrialObstacle(context: AppContext): Promise<string | undefined> {
  if (!(await isTrusted(context)))
    return "the project names things that you have not trusted yet; see ambit trust --show";
  return (await findObstacle(context))?.message;
}

interface Setup {
  readonly root: string;
  readonly facts: ProjectFacts;
  readonly found: readonly ProgramFacts[];
  /** The project's own agents that are there already. */
  readonly described: readonly string[];
  readonly agent: string | undefined;
  readonly config: NewFile;
  readonly agents: readonly NewFile[];
  readonly trial: TrialAnswer | null;
  readonly lacks: InitAnswer["lacks"];
}

async function planSetup(context: AppContext, wish: InitWish): Promise<Setup> {
  const { root } = findProject(context);
  const facts = detectProject(root);
  const found = await detectAgents(context);
  const described = await describedAgents(root);
  const agent = chooseAgent(wish.agent, described, bestAgent(found));
  const agents = described.length > 0 ? [] : agent === undefined ? planSample(root) : planAgents(root, agent);
  const setup = { root, facts, found, described, agent, agents, trial: null, lacks: [] };
  return { ...setup, config: { path: projectConfigPath(root), text: buildText(wish, setup) } };
}

function buildText(
  { isMinimal }: InitWish,
  { facts, agent, found }: Pick<Setup, "agent" | "facts" | "found">,
  workspace?: TrialAnswer["settings"],
): string {
  return buildConfigText({ ...facts, agent, found, isMinimal, workspace });
}

const AGENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** The agent that was named; else the project's only one; else an installed program. Among several it does not guess. */
function chooseAgent(
  named: string | undefined,
  described: readonly string[],
  installed: string | undefined,
): string | undefined {
  if (named !== undefined && !AGENT_NAME.test(named))
    throw usageError(
      `--agent ${JSON.stringify(named)} is not a name of an agent`,
      "Use letters, digits, - and _.",
    );
  if (named !== undefined) return named;
  const [only, ...more] = described;
  if (only === undefined) return installed;
  return more.length === 0 ? only : undefined;
}

/** A definition is written only for a program that an adapter drives; others need one by hand. */
function planAgents(root: string, agent: string): readonly NewFile[] {
  const path = join(root, ".ambit", "agents", `${agent}.md`);
  return builtInAgents.includes(agent) && !existsSync(path) ? [{ path, text: buildAgentText(agent) }] : [];
}

/** Without any agent a newcomer still has one that runs. It is not the default: it would take real work and do none of it. */
function planSample(root: string): readonly NewFile[] {
  const folder = join(root, ".ambit", "agents");
  return [
    { path: join(folder, `${sampleAgent}.md`), text: sampleAgentText },
    { path: join(folder, `${sampleAgent}.sh`), text: sampleScriptText },
  ];
}

function warnAboutAgent(context: AppContext, { agent, described, found }: Setup): void {
  if (agent === undefined || described.includes(agent)) return;
  if (!builtInAgents.includes(agent))
    context.warn(`the agent ${agent} has no definition yet: write .ambit/agents/${agent}.md`);
  else if (!found.some(({ name }) => name === agent))
    context.warn(`${agent} is not installed on this machine; ambit doctor says how to get it`);
}

/** The settings are written all the same. */
function describeObstacle(obstacle: Obstacle | undefined): InitAnswer["obstacle"] {
  return obstacle === undefined ? null : { message: obstacle.message, next: obstacle.recommendation };
}

function describeSetup(setup: Setup, written: readonly NewFile[], note: string | null): InitAnswer {
  const { root, facts, found, described, agent, config, agents, trial, lacks } = setup;
  return {
    project: root,
    file: config.path,
    written: written.length > 0,
    files: [config, ...agents].map(({ path, text }) => ({
      path,
      written: written.some((one) => one.path === path),
      content: text,
    })),
    note,
    languages: [...facts.languages],
    test: facts.test?.command ?? null,
    test_found_in: facts.test?.because ?? null,
    agents: found.map((program) => ({
      name: program.name,
      version: program.version,
      tested: program.tested,
      logged_in: program.loggedIn,
      next: program.next,
      text: describeProgram(program),
    })),
    default_agent: agent ?? null,
    own_agents: [...described],
    obstacle: null,
    trial,
    lacks: [...lacks],
    content: config.text,
  };
}
