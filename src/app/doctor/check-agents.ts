import { builtInAgents } from "../../agents/definitions.ts";
import { safeText } from "../../base/safe-text.ts";
import { findProjectRoot } from "../../project/find-project.ts";
import type { AppContext } from "../project/app-context.ts";
import { readAgents, type KnownAgent, type KnownAgents } from "../agents/read-agents.ts";
import { describeProgram, probePrograms, type ProgramFacts } from "../agents/probe-programs.ts";
import type { Finding } from "./finding.ts";

/** Which agent programs are here and ready, and whether the project's own agent is among them. */
export async function checkAgents(context: AppContext): Promise<readonly Finding[]> {
  const programs = [...(await probePrograms(context, builtInAgents)).values()];
  const isAnyThere = programs.some(({ path }) => path !== null);
  const definitions =
    findProjectRoot(context.directory) === undefined ? undefined : await readAgents(context);
  const canWork = isAnyThere || definitions?.agents.some(isUsable) === true;
  return [
    ...programs.map((program) => programFinding(program, canWork)),
    ...(canWork ? [] : [noAgents]),
    ...(definitions === undefined ? [] : checkDefinitions(definitions)),
  ];
}

const noAgents: Finding = {
  name: "agents",
  ok: true,
  detail: "no agent can work here yet",
  next: "Install one of these, or use any program: ambit init writes a sample that shows how",
  isAdvice: true,
};

/** An agent of the project whose program is not known to be missing. */
function isUsable({ source, definition, program }: KnownAgent): boolean {
  return source !== "built-in" && definition !== undefined && program?.path !== null;
}

/** None of them has to be there: any program can work. What is installed but not ready comes with what to do. */
function programFinding(program: ProgramFacts, canWork: boolean): Finding {
  const { name, path, next } = program;
  const isTold = next !== null && (path !== null || !canWork);
  return {
    name: `agent ${name}`,
    ok: true,
    detail: describeProgram(program),
    ...(next === null ? {} : { next }),
    ...(isTold ? { isAdvice: true } : {}),
    ...(path === null ? { isAbsent: true } : {}),
  };
}

function checkDefinitions({ agents, defaultAgent }: KnownAgents): readonly Finding[] {
  const broken = agents.filter(
    ({ definition, shadowedBy }) => definition === undefined && shadowedBy === undefined,
  );
  const own = agents.filter(({ source }) => source !== "built-in");
  return [
    {
      name: "agent files",
      ok: broken.length === 0,
      detail:
        broken.length === 0
          ? `${own.length} in this project`
          : broken.map(({ file, problem }) => safeText(`${file}: ${problem ?? ""}`)).join("; "),
      next: "See what is wrong: ambit agents check",
    },
    ...(defaultAgent === null ? [] : [defaultFinding(agents, defaultAgent)]),
  ];
}

/** Without a default, every request has to name an agent. */
function defaultFinding(agents: readonly KnownAgent[], name: string): Finding {
  const agent = agents.find((one) => one.name === name && one.shadowedBy === undefined);
  if (agent === undefined)
    return {
      name: "default agent",
      ok: false,
      detail: `agents.default names ${name}, which has no definition`,
      next: "Name another: ambit config set agents.default <name>",
    };
  const { program } = agent;
  const isMissing = program?.path === null;
  const next = program?.next ?? `Look at it: ambit agents check ${name}`;
  return {
    name: "default agent",
    ok: agent.definition !== undefined && !isMissing && program?.loggedIn !== false,
    detail: `${name}${program === undefined ? "" : `: ${program.name} ${describeProgram(program)}`}`,
    next,
  };
}
