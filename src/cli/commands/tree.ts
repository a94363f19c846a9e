import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import { renderTreeText, type TreeAnswer } from "../../app/tree.ts";
import { formatSafeJson } from "../../base/safe-json.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { paint } from "../terminal/paint.ts";
import { adviseResume } from "../render/advise-resume.ts";
import { renderNotices } from "../render/notices.ts";
import { renderTodoLists } from "../render/todo-list.ts";

export function register(command: Command, act: Act): void {
  const format = command.createOption("--format <name>", "how the tree is drawn");
  command
    .description("Show who delegated what to whom, and how far each part is.")
    .argument("[story]", "an id or its beginning; by default the newest story")
    .addOption(format.choices(["text", "json", "mermaid", "dot"]).default("text"))
    .action(act(showTree))
    .addHelpText("after", "\nExample:\n  ambit tree US-007 --format mermaid");
}

async function showTree(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { treeUseCase } = await import("../../app/tree.ts");
  const format = invocation.option("format") ?? "text";
  const diagram = format === "mermaid" || format === "dot" ? format : undefined;
  const json = await treeUseCase.run(context, { story: invocation.argument("story"), diagram });
  if (json.interrupted === true) context.warn(adviseResume(json.story ?? ""));
  return { exitCode: exitCode.completed, json, text: renderAnswer(context, json, format) };
}

const emptyDiagrams: Readonly<Record<string, string>> = { mermaid: "graph TD", dot: "digraph {}" };

function renderAnswer(context: CommandContext, answer: TreeAnswer, format: string): string {
  if (format === "json") return formatSafeJson({ schema: "ambit/v1", ...answer }, 2);
  const { tree, todos = [], diagram, noticed } = answer;
  if (tree === null) return emptyDiagrams[format] ?? nothingYet;
  if (diagram !== undefined) return diagram;
  const { ascii, verbose } = context;
  const lists = renderTodoLists(todos, { ascii, verbose, paint: paint(context.color("stdout")) });
  const drawn = [renderTreeText(drawTree(tree), context), ...renderNotices(noticed)].join("\n");
  return [drawn, lists].filter((part) => part !== "").join("\n\n");
}

type Tree = NonNullable<TreeAnswer["tree"]>;
type DrawnTree = Parameters<typeof renderTreeText>[0];

function drawTree({ children, ...node }: Tree): DrawnTree {
  return { ...node, shows: node.proof ?? "", workers: children.map(drawTree) };
}
