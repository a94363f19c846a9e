import type { CommandOutcome, Invocation } from "./input/command-module.ts";
import { createContext } from "./input/create-context.ts";
import type { GlobalOptions } from "./input/global-options.ts";
import { processTerminal } from "./terminal/process-terminal.ts";
import { renderDocument } from "./render/document.ts";
import { writeOutput } from "./terminal/write-output.ts";

/** `ambit task list` and `ambit task show`, as their module answers them. */
export type TaskAnswer = (
  context: ReturnType<typeof createContext>,
  invocation: Invocation,
) => Promise<CommandOutcome>;

export interface QuickStart {
  readonly words: readonly string[];
  readonly version: string;
}

/**
 * Answers the two questions about tasks that scripts ask in loops, without the parser that every other command needs:
 * starting it would double their time. False when the words are unusual or anything goes wrong; nothing has been
 * printed then, and the whole program says what there is to say.
 */
export async function answeredQuickly({ words, version }: QuickStart): Promise<boolean> {
  const question = readQuestion(words);
  if (question === undefined) return false;
  try {
    const { name, json, invocation } = question;
    const context = createContext({ version, terminal: processTerminal, options: { ...plain, json } });
    const outcome = await (await loadAnswer(name))(context, invocation);
    const text = json ? renderDocument(outcome.json) : outcome.text;
    const { status } = await writeOutput("stdout", text);
    process.exitCode = outcome.exitCode;
    return status !== "failed";
  } catch {
    // The program comes to the same error and explains it.
    return false;
  }
}

async function loadAnswer(name: QuestionName): Promise<TaskAnswer> {
  const { listTasks, showTask } = await import("./commands/task/read-tasks.ts");
  return name === "list" ? listTasks : showTask;
}

const plain: GlobalOptions = {
  directory: undefined,
  json: false,
  reporter: "auto",
  color: true,
  ascii: false,
  quiet: false,
  verbose: false,
  input: true,
  yes: false,
  configFile: undefined,
};

type QuestionName = "list" | "show";

interface Question {
  readonly name: QuestionName;
  readonly json: boolean;
  readonly invocation: Invocation;
}

const filters: ReadonlySet<string> = new Set(["--status", "--lang", "--priority"]);

/** `list` with its filters, `show` with one plain word, `--json`; whatever else is asked is not for here. */
function readQuestion([name, ...rest]: readonly string[]): Question | undefined {
  if (name !== "list" && name !== "show") return undefined;
  const options = new Map<string, string>();
  const plainWords: string[] = [];
  let json = false;
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? "";
    const value = rest[index + 1];
    if (word === "--json") json = true;
    else if (!word.startsWith("-")) plainWords.push(word);
    else if (name === "show" || !filters.has(word) || value === undefined || value.startsWith("-"))
      return undefined;
    else {
      options.set(word.slice(2), value);
      index += 1;
    }
  }
  const [task = ""] = plainWords;
  if (plainWords.length !== (name === "show" ? 1 : 0)) return undefined;
  return { name, json, invocation: invocationOf(task, options) };
}

function invocationOf(task: string, options: ReadonlyMap<string, string>): Invocation {
  return {
    argument: (name) => (name === "task" ? task : ""),
    argumentList: () => [],
    option: (name) => options.get(name),
    optionList: () => [],
    flag: () => false,
  };
}
