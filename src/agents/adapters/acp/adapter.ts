import { describeExit } from "../../stream-json/exit-words.ts";
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { agentErrors } from "../../../errors/agents.ts";
import { isErrorCode, type ErrorCode } from "../../../contract/error-code.ts";
import type { AcpProgram } from "../../adapter-types/agent-program.ts";
import { resolveProgram } from "../../../containment/resolve-program.ts";
import { bringHomeFolder } from "../home-folder.ts";
import { completeCommand, findAcpProgram, findOwnAgents } from "./complete-command.ts";
import { LAUNCH_FILE, WIND_DOWN_LINE, type AcpLaunch } from "../../acp/launch-file.ts";
import { parseAcpLine } from "../../acp/lines.ts";
import type {
  AgentAdapter,
  AgentEvent,
  BuiltRun,
  ProcessEnd,
  RunEnd,
  RunSpec,
} from "../../adapter-types/agent-adapter.ts";
import { MAX_TOOL_CALL_MS, MCP_SERVER, NETWORK_NAMES, writableFolders } from "../../stream-json/launch.ts";
import { isContextFull } from "../../stream-json/read-failure.ts";

/**
 * Drives every agent that speaks the Agent Client Protocol on its standard streams. `command` in its definition starts
 * it in that mode, such as `[qwen, --acp]`. `clientProgram` is our client between the agent and the runtime.
 */
export function acpAdapter(clientProgram: readonly string[]): AgentAdapter {
  return {
    name: "acp",
    capabilities: { mcp: true, resume: true, liveUsage: true, windDown: true, repair: true },
    build: (spec) => buildAcpRun(clientProgram, spec),
    parse: parseAcpLine,
    settle: settleConversation,
  };
}

const MCP_FILE = "acp-mcp.json";

function buildAcpRun(clientProgram: readonly string[], spec: RunSpec): BuiltRun {
  if (spec.command?.[0] === undefined || spec.command[0] === "")
    throw agentErrors.acpCommandMissing(spec.agent);
  const agent = findAcpProgram(spec.command);
  const settings = agent.buildSettings?.(spec);
  const named = agent.findVariables?.({ environment: spec.userEnvironment ?? {}, home: spec.userHome }) ?? [];
  const mcpFile = spec.mcp === undefined ? undefined : join(spec.agentHome, MCP_FILE);
  const wanted = [
    ...agent.arguments,
    ...(spec.isProjectTrusted === true ? (agent.trustArguments ?? []) : []),
  ];
  const started = nameStartedProgram(agent, spec);
  const [program = "", ...words] = completeCommand(spec.command, { ...agent, arguments: wanted }, mcpFile);
  const command = [findFile(program, spec) ?? program, ...words];
  const needsFile = agent.mcpFileArgument !== undefined && spec.mcp !== undefined;
  const home = bringHomeFolder(agent, spec);
  const servers = settings === undefined ? buildMcpServers(spec) : [];
  return {
    argv: [...clientProgram, join(spec.agentHome, LAUNCH_FILE)],
    environment: {
      ...settings?.environment,
      ...home.environment,
      ...agent.environment,
      ...(spec.sandboxed === true ? agent.sandboxEnvironment : {}),
      ...started,
    },
    programs: [...command.slice(0, 1), ...Object.values(started)].filter(isAbsolute),
    stdin: "",
    windDownInput: `${WIND_DOWN_LINE}\n`,
    pass: [...new Set([...agent.pass, ...named, ...(settings?.pass ?? []), ...NETWORK_NAMES])],
    files: [
      {
        path: LAUNCH_FILE,
        content: JSON.stringify({
          ...buildLaunch(spec, command),
          mcp_servers: servers,
          ...(agent.titlesAreCommands === true ? { titles_are_commands: true } : {}),
          ...(agent.sessionSettings === undefined ? {} : { session_settings: agent.sessionSettings }),
        }),
      },
      ...(needsFile ? [{ path: MCP_FILE, content: JSON.stringify(buildMcpSettings(spec)) }] : []),
      ...(settings?.files ?? []),
    ],
    copies: [...(settings?.copies ?? []), ...(home.copies ?? [])],
  };
}

/** A bridge would find a program that refuses to start under the name of its agent. */
function nameStartedProgram({ starts }: AcpProgram, spec: RunSpec): Readonly<Record<string, string>> {
  if (starts === undefined || spec.userEnvironment?.[starts.variable] !== undefined) return {};
  const { PATH = "" } = spec.userEnvironment ?? {};
  const path = findFile(starts.program, spec) ?? resolveProgram(starts.program, { PATH }, "/");
  return path === undefined ? {} : { [starts.variable]: path };
}

/** In a sandbox the folders of the user's PATH are not there: a program is the file its name leads to. */
function findFile(program: string, { sandboxed, userEnvironment }: RunSpec): string | undefined {
  if (sandboxed !== true) return undefined;
  const { PATH = "" } = userEnvironment ?? {};
  const path = isAbsolute(program) ? program : resolveProgram(program, { PATH }, "/");
  return path !== undefined && existsSync(path) ? realpathSync(path) : undefined;
}

function buildLaunch(spec: RunSpec, command: readonly string[]): Omit<AcpLaunch, "mcp_servers"> {
  const { prompt, resumeSession, model, returnFile, handoverFile, writable = [] } = spec;
  const searchPath = spec.userEnvironment?.["PATH"];
  return {
    command: [...command],
    ...(searchPath === undefined ? {} : { search_path: searchPath }),
    prompt,
    wind_down_prompt: WIND_DOWN_PROMPT,
    ...(resumeSession === undefined ? {} : { resume_session: resumeSession }),
    ...(model === undefined ? {} : { model }),
    writable: [returnFile, handoverFile, ...writable],
    additional_directories: [...writableFolders(spec)],
    denied_tools: [...findOwnAgents(spec.command ?? []).tools],
  };
}

function buildMcpServers({ mcp }: RunSpec): AcpLaunch["mcp_servers"] {
  if (mcp === undefined) return [];
  const env = Object.entries(mcp.environment).map(([name, value]) => ({ name, value }));
  return [{ name: MCP_SERVER, command: mcp.command, args: [...mcp.arguments], env }];
}

/** The settings format of agents that read a file. */
function buildMcpSettings({ mcp }: RunSpec): object {
  return {
    mcpServers: {
      [MCP_SERVER]: {
        type: "local",
        command: mcp?.command,
        args: mcp?.arguments,
        env: mcp?.environment,
        tools: ["*"],
        timeout: MAX_TOOL_CALL_MS,
      },
    },
  };
}

const WIND_DOWN_PROMPT = [
  "Your time or budget is nearly used up. Begin nothing new.",
  "Leave the files in a state that works, say in your return what is done and what is not,",
  "hand it in as you were told, and end your turn.",
].join(" ");

const STOP_CODES: ReadonlyMap<string, ErrorCode> = new Map([
  ["max_turn_requests", "AGENT_TURN_LIMIT"],
  ["refusal", "UNKNOWN_ERROR"],
]);

/** The stop reason decides. A refused permission alone does not fail a run: the agent may have found another way. */
function settleConversation(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const final = events.findLast((event) => event.kind === "final");
  if (final === undefined) return cutConversation(exit, events);
  const { ok, text: finalText, reason } = final;
  if (ok) return { ok, finalText, reason };
  const code = chooseStopCode(reason, events);
  const isExhausted = reason === "max_tokens" || isContextFull(reason);
  return {
    ok,
    finalText,
    reason,
    ...(code === undefined ? {} : { code }),
    ...(isExhausted ? { exhausted: true } : {}),
  };
}

function chooseStopCode(reason: string, events: readonly AgentEvent[]): ErrorCode | undefined {
  const [first = ""] = reason.split(":", 1);
  if (isErrorCode(first)) return first;
  const wasDenied = events.some(({ kind }) => kind === "denied");
  if (wasDenied && (reason === "cancelled" || reason === "refusal")) return "AGENT_NEEDS_PERMISSION";
  return STOP_CODES.get(reason);
}

function cutConversation(exit: ProcessEnd, events: readonly AgentEvent[]): RunEnd {
  const said = events.findLast((event) => event.kind === "text");
  return {
    ok: false,
    finalText: said?.text ?? "",
    reason: `The client ${describeExit(exit)} before the conversation ended.`,
    code: "AGENT_STREAM_BROKEN",
  };
}
