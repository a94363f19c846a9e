import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { AgentAdapter, BuiltRun, RunSpec } from "../../../agents/adapter.ts";
import { agentProgramNames } from "../../../agents/agent-programs.ts";
import { findCapabilities } from "../../../agents/find-capabilities.ts";
import { buildEnvironment } from "../../../containment/build-environment.ts";
import { resolveProgram } from "../../../containment/resolve-program.ts";
import { orchestratorErrors } from "../../../errors/orchestrator.ts";
import type { Delegation, Story } from "../../../journal/store.ts";
import { traceEnvironment } from "../../../telemetry/trace-environment.ts";
import type { CommandVariables } from "../../delegation/story-tools.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { PlaceOptions } from "../../ports/work-place.ts";
import { findScratchpad, buildReturnMetadata } from "../prepare/build-prompt.ts";
import type { PreparedAttempt } from "../prepare/prepare-attempt.ts";
import { findAgentHome, noteAgentHome, prepareAgentHome } from "./agent-home.ts";

interface Token {
  readonly token: string;
}

interface StartedAttempt extends PreparedAttempt, Token {
  readonly story: Story;
  readonly variables: CommandVariables;
}

/** The run that the adapter builds, with its program by its full path. Its files are written by `prepareCommand`. */
export function buildCommand(
  tools: RunTools,
  adapter: AgentAdapter,
  start: PreparedAttempt & Token,
): BuiltRun {
  const home = findAgentHome(tools.stateDirectory, start.delegation, start.place.outbox);
  const built = adapter.build(buildRunSpec(tools, adapter, { ...start, home }));
  return { ...built, argv: findProgram(built.argv, tools.environment) };
}

/** Writes the files of a run into its agent's home. */
export function prepareCommand(
  tools: RunTools,
  { delegation, place }: PreparedAttempt,
  built: BuiltRun,
): void {
  prepareAgentHome(findAgentHome(tools.stateDirectory, delegation, place.outbox), built);
  if (place.outbox === undefined) noteAgentHome(tools.stateDirectory, delegation);
}

function buildRunSpec(
  tools: RunTools,
  adapter: AgentAdapter,
  { delegation, files, place, prompt, token, home }: PreparedAttempt & Token & { readonly home: string },
): RunSpec {
  const { agent, attempt, agentSession, turn, work, money } = delegation;
  // A hand-over starts a new session on purpose: the old one ran out of context.
  const continues = agentSession !== null && turn.kind !== "handover";
  const [command = "ambit", ...rest] = tools.program;
  const environment = { AMBIT_SOCKET: tools.socket, AMBIT_TOKEN: token };
  return {
    agent: agent ?? delegation.id,
    prompt,
    command: work?.command ?? [],
    attempt,
    turn: turn.kind,
    returnFile: files.returnFile,
    handoverFile: files.handoverFile,
    agentHome: home,
    userHome: tools.environment["HOME"] ?? homedir(),
    userEnvironment: tools.environment,
    writable: [findScratchpad(tools.stateDirectory, delegation.story)],
    sandboxed: place.outbox !== undefined,
    isProjectTrusted: work?.isProjectTrusted ?? false,
    ...(work?.model === undefined ? {} : { model: work.model }),
    ...(work?.tools === undefined ? {} : { tools: work.tools }),
    ...(continues ? { resumeSession: agentSession } : {}),
    ...(findCapabilities(adapter, work?.command ?? []).mcp
      ? { mcp: { command, arguments: [...rest, "mcp"], environment } }
      : {}),
    ...(money.limit === null
      ? {}
      : { remainingMicroUsd: Math.max(0, money.limit - money.lent - money.spent) }),
  };
}

/** Searches the user's own PATH: on a worker's PATH the names of agents are programs that refuse. */
function findProgram(argv: readonly string[], environment: RunTools["environment"]): readonly string[] {
  const [name = "", ...rest] = argv;
  if (name.includes("/")) return argv;
  const path = environment["PATH"];
  const found = resolveProgram(name, path === undefined ? {} : { PATH: path }, "/");
  if (found !== undefined) return [found, ...rest];
  if (agentProgramNames.includes(name)) throw orchestratorErrors.programMissing(name);
  return argv;
}

/** Identity for records, never for rights: depth and budget are in the store, whatever a worker sets here. */
export function buildWorkerEnvironment(
  tools: RunTools,
  { delegation, files, place, token, story, variables }: StartedAttempt,
  { environment, pass = [] }: Pick<BuiltRun, "environment" | "pass">,
): Readonly<Record<string, string>> {
  const path = variables.set["PATH"] ?? variables.environment["PATH"] ?? "/usr/bin:/bin";
  return buildEnvironment({
    base: variables.environment,
    allow: [...pass, ...variables.pass],
    set: {
      ...variables.set,
      PATH: `${findShimFolder(tools)}:${path}`,
      ...place.environment,
      ...environment,
      ...traceEnvironment(tools.environment, story, delegation),
      AMBIT_SOCKET: tools.socket,
      AMBIT_TOKEN: token,
      AMBIT_RETURN_FILE: files.returnFile,
      AMBIT_HANDOVER_FILE: files.handoverFile,
      AMBIT_SCRATCHPAD: findScratchpad(tools.stateDirectory, delegation.story),
      DELEGATION_DEPTH: String(delegation.depth),
      PARENT_STORY_ID: delegation.parent ?? delegation.story,
      PARENT_EXECUTION_ID: delegation.executionId,
      AMBIT_RETURN_METADATA: JSON.stringify(buildReturnMetadata(delegation)),
    },
  });
}

/** The resources that a worker may use at its place. */
export function readPlaceOptions(tools: RunTools, attempt: PreparedAttempt): PlaceOptions {
  const { delegation } = attempt;
  return {
    network: delegation.work?.network ?? false,
    readable: listReadable(tools, delegation),
    own: listOwnEntries(tools, attempt),
  };
}

/** A sandbox hides the project except for the worker's own workspace, so everything else that it needs is listed. */
function listReadable(tools: RunTools, { story, work }: Delegation): readonly string[] {
  return [
    ...(work?.readable ?? []),
    // The scripted worker follows a script that its definition names; the project around it is hidden.
    ...(work?.adapter === "scripted" ? work.command.map((file) => resolve(file)) : []),
    tools.socket,
    findShimFolder(tools),
    findScratchpad(tools.stateDirectory, story),
    ...listProgramFolders(tools),
  ];
}

/**
 * The entries of the state folder that a worker without a sandbox may write: its logs, returns, home, and its story's
 * notes.
 */
function listOwnEntries(tools: RunTools, { delegation, files, place }: PreparedAttempt): readonly string[] {
  return [
    dirname(files.directory),
    findAgentHome(tools.stateDirectory, delegation, place.outbox),
    findScratchpad(tools.stateDirectory, delegation.story),
  ];
}

/** Where Ambit and Node are installed: workers use Ambit's MCP server and commands too. */
function listProgramFolders({ program }: RunTools): readonly string[] {
  const folders = program.filter(isAbsolute).map((file) => dirname(file));
  return [...new Set(folders)].filter((folder) => folder !== "/" && existsSync(folder));
}

function findShimFolder(tools: RunTools): string {
  return join(tools.stateDirectory, "shims");
}
