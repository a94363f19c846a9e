import { DelegationError } from "../../base/delegation-error.ts";
import { formatSpent, parseMicroUsd } from "../../base/money.ts";
import { safeText } from "../../base/safe-text.ts";
import { statusUseCase, type StatusAnswer } from "../../app/status.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";

/** `ambit` alone: where you are, what waits for you, and three commands to go on with. */
export async function describeHome(context: CommandContext): Promise<CommandOutcome> {
  const place = await readPlace(context);
  const text = [
    "Ambit runs coding agents as workers, within limits that hold.",
    "",
    ...place.lines,
    "",
    ...renderCommands(place.next),
    "",
    "Every day's commands: ambit --help. All commands: ambit help --all.",
  ].join("\n");
  return { exitCode: exitCode.completed, json: { help: text }, text };
}

type NextCommand = readonly [command: string, purpose: string];

interface Place {
  readonly lines: readonly string[];
  readonly next: readonly NextCommand[];
}

async function readPlace(context: CommandContext): Promise<Place> {
  try {
    return describeStatus(await statusUseCase.run(context, { story: "" }));
  } catch (error) {
    if (!(error instanceof DelegationError) || error.code !== "NOT_A_REPOSITORY") throw error;
    return {
      lines: [`${safeText(context.directory)} is not inside a git repository.`],
      next: [tryDemo, ["cd <project>", "go to a git repository of yours"], setUp],
    };
  }
}

const tryDemo: NextCommand = ["ambit demo", "see a whole story, offline, in a minute"];
const setUp: NextCommand = ["ambit init", "detect the project and write ambit.yaml"];
const runStory: NextCommand = [
  "ambit run 'Fix the failing test' --agent claude --accept '`npm test` passes'",
  "",
];

function describeStatus(status: StatusAnswer): Place {
  const { story, title = "", status: outcome = "", needs_you: needsYou, other_open_stories: others } = status;
  if (story === null)
    return { lines: ["Nothing has been delegated here yet."], next: [tryDemo, setUp, runStory] };
  const progress = `${status.ended ?? 0} of ${status.total_delegations ?? 0} delegations done`;
  const lines = [
    `${safeText(story)}: ${safeText(title)}`,
    `  ${status.interrupted === true ? "interrupted: no supervisor is running" : outcome} · ${progress} · ${formatSpent(parseMicroUsd(status.total_cost_usd ?? 0))}`,
    ...(needsYou.length === 0
      ? []
      : [`  ${needsYou.length} ${needsYou.length === 1 ? "needs" : "need"} you: ambit status`]),
    ...(others.length === 0 ? [] : [`  also open: ${others.map(safeText).join(", ")}`]),
  ];
  return { lines, next: nextCommands(status, story) };
}

function nextCommands(
  { needs_you: needsYou, is_over: isOver, status, interrupted }: StatusAnswer,
  story: string,
): readonly NextCommand[] {
  if (!isOver) {
    if (interrupted === true)
      return [
        [`ambit resume ${story}`, "continue it"],
        ["ambit status", "see where it stands"],
        [`ambit stop ${story}`, "stop it and keep its work"],
      ];
    const first: NextCommand =
      needsYou.length > 0
        ? ["ambit inbox", "answer what waits for you"]
        : ["ambit status", "see who does what"];
    return [
      first,
      [`ambit attach ${story}`, "watch it live"],
      [`ambit stop ${story}`, "stop it and keep its work"],
    ];
  }
  if (status === "completed")
    return [
      [`ambit diff ${story}`, "see what it changed"],
      [`ambit merge ${story}`, "bring it to your branch, after a preview"],
      runStory,
    ];
  return [
    [`ambit explain ${story}`, "see why it ended like this"],
    [`ambit resume ${story}`, "continue it"],
    [`ambit diff ${story}`, "see what was kept"],
  ];
}

function renderCommands(commands: readonly NextCommand[]): readonly string[] {
  const width = Math.max(
    ...commands.filter(([, purpose]) => purpose !== "").map(([command]) => command.length),
  );
  return commands.map(([command, purpose]) =>
    purpose === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`,
  );
}
