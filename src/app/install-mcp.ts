import { platform } from "node:os";
import * as z from "zod";
import type { McpClient, ServerCommand, SettingsPlaces, SettingsScope } from "../agents/agent-programs.ts";
import { resolveProgram } from "../containment/resolve-program.ts";
import { agentErrors } from "../errors/agents.ts";
import { usageError } from "../errors/usage.ts";
import { addServer, mcpClients, removeServer } from "./mcp-install/clients.ts";
import type { Edited } from "./mcp-install/edited.ts";
import { lineDiff } from "./mcp-install/line-diff.ts";
import { readSettingsFile, removeSettingsFile, writeSettingsFile } from "./mcp-install/settings-file.ts";
import { dropUndoRecord, readUndoRecord, writeUndoRecord } from "./mcp-install/undo-record.ts";
import type { AppContext } from "./project/app-context.ts";
import { findProject } from "./project/open-project.ts";
import { keepTrust } from "./project/require-trust.ts";
import { defineUseCase } from "./use-case.ts";

const scopes = ["user", "project"] as const;

const input = () =>
  z.strictObject({
    client: z.string().describe("The program whose settings are changed"),
    scope: z
      .enum(scopes)
      .optional()
      .describe("The scope of the settings; by default where the client expects them"),
    isConfirmed: z.boolean().default(false).describe("Write the change instead of only showing it"),
  });

const states = ["present", "absent", "no file", "planned", "written", "removed", "restored"] as const;

const output = () =>
  z.looseObject({
    client: z.string(),
    scope: z.enum(scopes),
    file: z.string(),
    written: z.boolean(),
    diff: z.string(),
    state: z.enum(states).describe("The state of the file, or what was done to it"),
    next: z.string().describe("The next step in the client"),
  });

type InstallInput = z.output<ReturnType<typeof input>>;
export type InstallAnswer = z.output<ReturnType<typeof output>>;

const onlyPeople = "never changes the settings of your programs";

/** Adds `ambit mcp` to a program's settings: shows the change, or writes it so that it can be undone. */
export const installMcpUseCase = defineUseCase({
  input,
  output,
  onlyPeople,
  run: async (context, wish) => {
    const target = findTarget(context, wish);
    const { client, file, places } = target;
    const before = readSettingsFile(file);
    const after = readEdited(file, addServer(client, before ?? "", findServerCommand(context)));
    if (after === before) return describeTarget(target, "present");
    const diff = lineDiff(file, before, after);
    if (!wish.isConfirmed) return describeTarget(target, "planned", diff);
    return keepTrust(context, () => {
      // Recorded first, so that an interruption does not lose the old content.
      writeUndoRecord(places, { file, before: before ?? null, folders: [] }, after);
      const folders = writeSettingsFile(file, after, before);
      if (folders.length > 0) writeUndoRecord(places, { file, before: before ?? null, folders }, after);
      return describeTarget(target, "written", diff);
    });
  },
});

/** Restores the file if it has not been changed since; otherwise removes only our entry. */
export const uninstallMcpUseCase = defineUseCase({
  input,
  output,
  onlyPeople,
  run: async (context, wish) => {
    const target = findTarget(context, wish);
    const { client, file, places } = target;
    const before = readSettingsFile(file);
    if (before === undefined) return describeTarget(target, "no file");
    const record = readUndoRecord(places, file, before);
    const after =
      record === undefined ? readEdited(file, removeServer(client, before)) : (record.before ?? undefined);
    if (after === before) return describeTarget(target, "absent");
    const diff = lineDiff(file, before, after);
    if (!wish.isConfirmed) return describeTarget(target, "planned", diff);
    return keepTrust(context, () => {
      if (after === undefined) removeSettingsFile(file, record?.folders ?? []);
      else writeSettingsFile(file, after, before);
      dropUndoRecord(places, file);
      return describeTarget(target, record === undefined ? "removed" : "restored", diff);
    });
  },
});

interface Target {
  readonly client: McpClient;
  readonly scope: SettingsScope;
  readonly file: string;
  readonly places: SettingsPlaces;
}

function findTarget(context: AppContext, wish: InstallInput): Target {
  const client = findClient(wish.client);
  const scope = wish.scope ?? client.scope;
  const { environment, homeDirectory: home } = context;
  const root = scope === "project" ? findProject(context).root : context.directory;
  const places: SettingsPlaces = { root, home, environment, platform: platform() };
  const file = client.findFile(places, scope);
  if (file === undefined) throw usageError("Your home folder is unknown", "Set HOME, then try again.");
  return { client, scope, file, places };
}

function findClient(name: string): McpClient {
  const found = mcpClients.find((client) => client.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = mcpClients.map((client) => client.name).join(", ");
  throw usageError(`${JSON.stringify(name)} is not a client that can be set up`, `Use one of: ${names}.`);
}

/** The command by its name if it is on PATH, otherwise the files that run now, which only this machine has. */
function findServerCommand(context: AppContext): ServerCommand {
  const environment = { PATH: context.environment["PATH"] ?? "" };
  if (resolveProgram("ambit", environment, context.directory) !== undefined)
    return { command: "ambit", arguments: ["mcp"] };
  context.warn("ambit is not on your PATH, so the entry uses its path on this machine");
  const [command = process.execPath, ...rest] = context.program;
  return { command, arguments: [...rest, "mcp"] };
}

function readEdited(file: string, edited: Edited): string {
  if (edited.kind === "edited") return edited.text;
  throw agentErrors.settingsNotEditable(file, edited);
}

function describeTarget(
  { client, scope, file }: Target,
  state: InstallAnswer["state"],
  diff = "",
): InstallAnswer {
  const written = state === "written" || state === "removed" || state === "restored";
  return { client: client.name, scope, file, written, diff, state, next: client.next };
}
