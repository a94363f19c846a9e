import { platform } from "node:os";
import type {
  McpClient,
  ServerCommand,
  SettingsPlaces,
  SettingsScope,
} from "../../../agents/agent-programs.ts";
import { DelegationError } from "../../../base/delegation-error.ts";
import { resolveProgram } from "../../../containment/resolve-program.ts";
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

/** Adds `ambit mcp` to a program's own settings: shown first, written with --yes, and undoable. */
export async function installMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("undo")) return uninstallMcp(context, invocation);
  const target = findTarget(context, invocation);
  const { client, file, places } = target;
  const before = readSettingsFile(file);
  const after = textOf(file, addServer(client, before ?? "", findServerCommand(context)));
  if (after === before) return same(target, `${file} has it already.`);
  if (!context.yes) return preview(target, { before, after, verb: "install" });
  // Kept first: should this be cut off, what was there is not lost.
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

/** Makes the file what it was where nobody has changed it since; otherwise takes only our own entry out. */
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
  const what = record === undefined ? "no longer has it" : "is what it was";
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
  if (file === undefined) throw usage(`Nobody knows your home folder`, "Set HOME, then try again.");
  return { client, scope, file, places };
}

function findClient(name: string): McpClient {
  const found = mcpClients.find((client) => client.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = mcpClients.map((client) => client.name).join(", ");
  throw usage(`${JSON.stringify(name)} is no client that can be set up here`, `Use one of: ${names}.`);
}

/** By its name where that is found; else by the very files that run now, which only this machine has. */
function findServerCommand(context: CommandContext): ServerCommand {
  const environment = { PATH: context.environment["PATH"] ?? "" };
  if (resolveProgram("ambit", environment, context.directory) !== undefined)
    return { command: "ambit", arguments: ["mcp"] };
  context.warn("ambit is not on your PATH, so it is written with its place on this machine");
  return { command: process.execPath, arguments: [process.argv[1] ?? "", "mcp"] };
}

function textOf(file: string, edited: Edited): string {
  if (edited.kind === "edited") return edited.text;
  throw new DelegationError({
    code: "CONFIG_INVALID",
    message: `${file} cannot be changed: ${edited.why} (at character ${edited.at}).`,
    recommendation: "Mend it, or add the entry by hand; nothing was changed.",
  });
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
