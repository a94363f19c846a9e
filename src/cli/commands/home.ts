import { DelegationError } from "../../base/delegation-error.ts";
import { safeText } from "../../base/safe-text.ts";
import { findFirstSteps, type FirstSteps } from "../../app/first-steps.ts";
import { listStoriesUseCase, type ListedStory, type StoryListAnswer } from "../../app/list-stories.ts";
import { exitCode } from "../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../input/command-module.ts";
import { renderStories } from "./list.ts";

const MAX_ENDED = 3;

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
    "Everyday commands: ambit --help. All commands: ambit help --all.",
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
    const answer = await listStoriesUseCase.run(context, { limit: MAX_ENDED, onlyOpen: false });
    return describeStories(context, answer, await findFirstSteps(context));
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
const lookAround: NextCommand = ["ambit doctor", "see what is ready here and what is missing"];

function describeStories(context: CommandContext, answer: StoryListAnswer, steps: FirstSteps): Place {
  const [first] = answer.stories;
  const runStory: NextCommand = [
    `ambit run 'Fix the failing test' --agent ${steps.agent ?? "claude"} --accept '\`npm test\` passes'`,
    "",
  ];
  if (first === undefined) {
    const next = steps.isSetUp ? [lookAround, runStory, tryDemo] : [tryDemo, setUp, runStory];
    return { lines: ["Nothing has been delegated here yet."], next };
  }
  const lines = [renderStories(context, { ...answer, has_more: false })];
  return { lines, next: chooseCommands(first, runStory) };
}

function chooseCommands(
  { id, state, is_open: isOpen, merged }: ListedStory,
  runStory: NextCommand,
): readonly NextCommand[] {
  const stop: NextCommand = [`ambit stop ${id}`, "stop it and keep its work"];
  if (state === "interrupted")
    return [[`ambit resume ${id}`, "continue it"], ["ambit status", "see where it stands"], stop];
  if (isOpen) {
    const first: NextCommand =
      state === "needs you"
        ? ["ambit inbox", "answer what waits for you"]
        : ["ambit status", "see who does what"];
    return [first, [`ambit attach ${id}`, "watch it live"], stop];
  }
  if (state !== "done")
    return [
      [`ambit explain ${id}`, "see why it ended like this"],
      [`ambit resume ${id}`, "continue it"],
      [`ambit diff ${id}`, "see what was kept"],
    ];
  const diff: NextCommand = [`ambit diff ${id}`, "see what it changed"];
  if (merged === true)
    return [diff, [`ambit merge ${id} --undo`, "take it out of your branch again"], runStory];
  return [diff, [`ambit merge ${id}`, "bring it to your branch, after a preview"], runStory];
}

function renderCommands(commands: readonly NextCommand[]): readonly string[] {
  const width = Math.max(
    ...commands.filter(([, purpose]) => purpose !== "").map(([command]) => command.length),
  );
  return commands.map(([command, purpose]) =>
    purpose === "" ? `  ${command}` : `  ${command.padEnd(width)}  ${purpose}`,
  );
}
