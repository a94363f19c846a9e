import type { Command } from "commander";
import type { Demo, KeptPromise } from "../../app/demo.ts";
import { runCommand } from "../../base/run-command.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { followInTerminal } from "../follow/follow-in-terminal.ts";
import { wrapWords } from "../render/wrap-words.ts";
import { paint, type Paint } from "../terminal/paint.ts";
import { terminalWidth } from "../terminal/terminal-width.ts";
import { cutText } from "../terminal/text-width.ts";

export function register(command: Command, act: Act): void {
  command
    .description("Run a real story in a temporary repository, offline, with scripted agents.")
    .option("--fail <how>", "show a failure instead: budget, crash, conflict or liar")
    .option("--keep", "keep the repository so that you can look around")
    .action(act(runDemo))
    .addHelpText("after", "\nExample:\n  ambit demo --fail liar");
}

async function runDemo(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const { openDemo } = await import("../../app/demo.ts");
  const demo = openDemo({ context, fail: invocation.option("fail") });
  const keep = invocation.flag("keep");
  try {
    return await playDemo(context, demo, keep);
  } finally {
    await demo.close(keep);
  }
}

async function playDemo(context: CommandContext, demo: Demo, keep: boolean): Promise<CommandOutcome> {
  const before = await demo.testsPass();
  context.progress(`A repository with ${before ? "passing" : "failing"} tests: ${demo.root}`);
  const { json: ending, text } = await followInTerminal({ ...context, directory: demo.root }, (app) =>
    demo.play(app),
  );
  // The person left it with Ctrl-C, so there is nothing to claim.
  if (ending.outcome === null) return describeLeft(demo, text);
  const isMerged = ending.outcome === "completed";
  const shown = await showCommands(context, demo, isMerged);
  const after = await demo.testsPass();
  const promises = demo.listPromises();
  const ok = demo.isExpected(ending, after);
  const { story } = demo;
  const tests = { before, after };
  const trial = demo.describeTrial();
  return {
    exitCode: ok ? exitCode.completed : exitCode.failed,
    json: { ok, story, outcome: ending.outcome, tests, promises, trial: trial ?? null, simulated: true },
    text: [
      text,
      ...shown,
      "",
      ...promises.map((kept) => renderPromise(kept, paint(context.color("stdout")))),
      "",
      ...(trial === undefined ? [] : [...wrapWords(trial.split(" "), { first: "", indent: "" }), ""]),
      isMerged
        ? `Tests before: ${showResult(before)}. After ambit merge: ${showResult(after)}.`
        : `The story is ${ending.outcome}, so main has nothing of it: the tests ${showResult(after)} as before.`,
      ...describeLook(demo, keep),
    ].join("\n"),
  };
}

function renderPromise({ promise, evidence }: KeptPromise, { bold }: Paint): string {
  const lines = wrapWords(evidence.split(" "), { first: "  ", indent: "  " });
  return [bold(promise), ...lines].join("\n");
}

/** Where to go from here. */
function describeLook({ root, story }: Demo, keep: boolean): readonly string[] {
  if (keep)
    return [
      `Look around: cd ${root}`,
      `  ambit status ${story} -i   ambit explain ${story}   ambit logs ${story}   ambit dashboard`,
    ];
  return [
    "The repository is removed. To look around in it: ambit demo --keep",
    "Try it on your own repository: ambit init",
  ];
}

const showResult = (isGreen: boolean): string => (isGreen ? "pass" : "fail");

function describeLeft({ story }: Demo, text: string): CommandOutcome {
  return {
    exitCode: exitCode.interrupted,
    json: { ok: false, story, outcome: null, promises: [], simulated: true },
    text: `${text}\nYou left the demo before its end: it was stopped, and nothing is claimed.`,
  };
}

const TIMEOUT_MS = 60_000;

/** Runs the commands a person would type next and returns their output. */
async function showCommands(
  context: CommandContext,
  { root, story }: Demo,
  completed: boolean,
): Promise<readonly string[]> {
  const commands = [
    ["status", story],
    ["cost", story],
    ["verify", story],
    ...(completed ? [["merge", story, "--yes"]] : []),
    ["audit", "--verify"],
  ];
  const width = terminalWidth(context.environment) ?? 80;
  const environment = {
    ...Object.fromEntries(
      Object.entries(context.environment).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    COLUMNS: String(width),
  };
  const lines: string[] = [];
  for (const words of commands) {
    const argv = [...context.program, ...words];
    const { stdout, stderr } = await runCommand({ argv, cwd: root, environment, timeoutMs: TIMEOUT_MS });
    // A plan is on stderr, and comes before what was done.
    const output = stderr.toString("utf8") + stdout.toString("utf8");
    const shown = output.trimEnd().split("\n");
    lines.push("", `$ ambit ${words.join(" ")}`, ...shown.map((line) => cutText(line, width, context.ascii)));
  }
  return lines;
}
