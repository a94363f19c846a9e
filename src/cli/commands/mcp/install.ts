import { platform } from "node:os";
import type {
  McpClient,
  ServerCommand,
  SettingsPlaces,
  SettingsScope,
} from "../../../agents/agent-programs.ts";
import { resolveProgram } from "../../../containment/resolve-program.ts";
import { agentErrors } from "../../../errors/agents.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { renderVerdict } from "../../render/verdict.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { findProject } from "../../../app/open-project.ts";
import { onlyPeople } from "../work/only-people.ts";
import { addServer, mcpClients, removeServer } from "./install/clients.ts";
import type { Edited } from "./install/edited.ts";
import { lineDiff } from "./install/line-diff.ts";
import { readSettingsFile, removeSettingsFile, writeSettingsFile } from "./install/settings-file.ts";
import { dropUndoRecord, readUndoRecord, writeUndoRecord } from "./install/undo-record.ts";

/** Adds `ambit mcp` to a program's settings. It shows the change first, writes it with --yes, and can undo it. */
export async function installMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("undo")) return uninstallMcp(context, invocation);
  const target = findTarget(context, invocation);
  const { client, file, places } = target;
  const before = readSettingsFile(file);
  const after = textOf(file, addServer(client, before ?? "", findServerCommand(context)));
  if (after === before) return same(target, `${file} already has it.`);
  if (!context.yes) return preview(target, { before, after, verb: "install" });
  // Recorded first, so that an interruption does not lose the old content.
  writeUndoRecord(places, { file, before: before ?? null, folders: [] }, after);
  const folders = writeSettingsFile(file, after, before);
  if (folders.length > 0) writeUndoRecord(places, { file, before: before ?? null, folders }, after);
  const undo = `ambit mcp install ${wordsOf(target)} --undo --yes`;
  const line = renderVerdict({ ok: true, message: `${file} is written` }, context);
  return {
    ...outcome(target, { written: true, diff: lineDiff(file, before, after) }),
    text: `${line}\n  next  ${client.next}\n  undo  ${undo}`,
  };
}

/** Restores the file if it has not been changed since; otherwise removes only our entry. */
export async function uninstallMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const target = findTarget(context, invocation);
  const { client, file, places } = target;
  const before = readSettingsFile(file);
  if (before === undefined) return same(target, `There is no ${file}.`);
  const record = readUndoRecord(places, file, before);
  const removed = (): string => textOf(file, removeServer(client, before));
  const after = record === undefined ? removed() : (record.before ?? undefined);
  if (after === before) return same(target, `${file} does not have it.`);
  if (!context.yes) return preview(target, { before, after, verb: "uninstall" });
  if (after === undefined) removeSettingsFile(file, record?.folders ?? []);
  else writeSettingsFile(file, after, before);
  dropUndoRecord(places, file);
  const what = record === undefined ? "no longer has it" : "is restored";
  const line = renderVerdict({ ok: true, message: `${file} ${what}` }, context);
  return { ...outcome(target, { written: true, diff: lineDiff(file, before, after) }), text: line };
}

interface Target {
  readonly client: McpClient;
  readonly scope: SettingsScope;
  readonly file: string;
  readonly places: SettingsPlaces;
}

function findTarget(context: CommandContext, invocation: Invocation): Target {
  onlyPeople(context, "never changes the settings of your programs");
  const client = findClient(invocation.argument("client"));
  const [isUser, isProject] = [invocation.flag("user"), invocation.flag("project")];
  if (isUser && isProject) throw usage("--user and --project are two places", "Choose one of them.");
  const scope = isUser ? "user" : isProject ? "project" : client.scope;
  const { environment, homeDirectory: home } = context;
  const root = scope === "project" ? findProject(context).root : context.directory;
  const places: SettingsPlaces = { root, home, environment, platform: platform() };
  const file = client.findFile(places, scope);
  if (file === undefined) throw usage(`Your home folder is unknown`, "Set HOME, then try again.");
  return { client, scope, file, places };
}

function findClient(name: string): McpClient {
  const found = mcpClients.find((client) => client.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = mcpClients.map((client) => client.name).join(", ");
  throw usage(`${JSON.stringify(name)} is not a client that can be set up`, `Use one of: ${names}.`);
}

/** The command by its name if it is on PATH, otherwise the files that run now, which only this machine has. */
function findServerCommand(context: CommandContext): ServerCommand {
  const environment = { PATH: context.environment["PATH"] ?? "" };
  if (resolveProgram("ambit", environment, context.directory) !== undefined)
    return { command: "ambit", arguments: ["mcp"] };
  context.warn("ambit is not on your PATH, so the entry uses its path on this machine");
  return { command: process.execPath, arguments: [process.argv[1] ?? "", "mcp"] };
}

function textOf(file: string, edited: Edited): string {
  if (edited.kind === "edited") return edited.text;
  throw agentErrors.settingsNotEditable(file, edited);
}

function same(target: Target, text: string): CommandOutcome {
  return { ...outcome(target, { written: false, diff: "" }), text };
}

interface Change {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly verb: "install" | "uninstall";
}

function preview(target: Target, { before, after, verb }: Change): CommandOutcome {
  const diff = lineDiff(target.file, before, after);
  const write = `ambit mcp ${verb} ${wordsOf(target)} --yes`;
  const text = `${visibleText(diff)}\n\nNothing was written.\n  write  ${write}`;
  return { ...outcome(target, { written: false, diff }), text };
}

function wordsOf({ client, scope }: Target): string {
  return scope === client.scope ? client.name : `${client.name} --${scope}`;
}

function outcome(
  { client, scope, file }: Target,
  { written, diff }: { readonly written: boolean; readonly diff: string },
): Omit<CommandOutcome, "text"> {
  return { exitCode: exitCode.completed, json: { client: client.name, scope, file, written, diff } };
}
