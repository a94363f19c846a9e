import { usageError } from "../../../errors/usage.ts";
import { installMcpUseCase, uninstallMcpUseCase, type InstallAnswer } from "../../../app/install-mcp.ts";
import { visibleText } from "../../../base/visible-text.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../input/command-module.ts";
import { renderVerdict } from "../../render/verdict.ts";

export async function installMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  if (invocation.flag("undo")) return uninstallMcp(context, invocation);
  const input = readInput(context, invocation);
  const json = await installMcpUseCase.run(context, input);
  return {
    exitCode: exitCode.completed,
    json,
    text: renderAnswer(context, json, { ...input, verb: "install" }),
  };
}

export async function uninstallMcp(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const input = readInput(context, invocation);
  const json = await uninstallMcpUseCase.run(context, input);
  return {
    exitCode: exitCode.completed,
    json,
    text: renderAnswer(context, json, { ...input, verb: "uninstall" }),
  };
}

function readInput(context: CommandContext, invocation: Invocation) {
  const [isUser, isProject] = [invocation.flag("user"), invocation.flag("project")];
  if (isUser && isProject) throw usageError("--user and --project are two places", "Choose one of them.");
  return {
    client: invocation.argument("client"),
    scope: isUser ? ("user" as const) : isProject ? ("project" as const) : undefined,
    isConfirmed: context.yes,
  };
}

interface Asked {
  readonly scope: "user" | "project" | undefined;
  readonly verb: "install" | "uninstall";
}

function renderAnswer(context: CommandContext, answer: InstallAnswer, { scope, verb }: Asked): string {
  const { client, file, diff, next } = answer;
  const words = scope === undefined ? client : `${client} --${scope}`;
  const done = (message: string): string => renderVerdict({ ok: true, message }, context);
  switch (answer.state) {
    case "present":
      return `${file} already has it.`;
    case "absent":
      return `${file} does not have it.`;
    case "no file":
      return `There is no ${file}.`;
    case "planned":
      return `${visibleText(diff)}\n\nNothing was written.\n  write  ambit mcp ${verb} ${words} --yes`;
    case "written":
      return `${done(`${file} is written`)}\n  next  ${next}\n  undo  ambit mcp install ${words} --undo --yes`;
    case "removed":
      return done(`${file} no longer has it`);
    case "restored":
      return done(`${file} is restored`);
  }
}
