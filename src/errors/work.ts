import { countThings } from "../base/count-things.ts";
import { DelegationError } from "../base/delegation-error.ts";
import { quoteExcerpt } from "../base/visible-text.ts";
import type { ApprovalAnswer, ApprovalKind } from "../contract/approval.ts";
import { makeError } from "./make-error.ts";
import { usageError } from "./usage.ts";

/** Starting, steering and answering work. */
export const workErrors = {
  textTooLong: (what: string, length: number, max: number): DelegationError =>
    usageError(`${what} has ${length} characters`, `Use at most ${max}.`),
  emptyAnswer: (): DelegationError =>
    usageError("the answer is empty", "Answer the worker's question in words."),
  emptyMessage: (): DelegationError =>
    usageError("the message is empty", "Say in words what the worker should know."),
  noStoryToWriteTo: (word: string): DelegationError =>
    usageError(`there is no story yet to write to "${quoteExcerpt(word)}"`, "Start one with ambit run."),
  noOpenQuestion: (word: string): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `Nothing about "${quoteExcerpt(word)}" waits for an answer.`,
      advice: "See what waits for you with ambit inbox.",
    }),
  alreadyAnswered: (question: {
    readonly id: string;
    readonly answer: ApprovalAnswer | null;
    readonly answeredBy: string | null;
    readonly reason: string;
  }): DelegationError =>
    makeError({
      code: "APPROVAL_NOT_FOUND",
      message: `${question.id} was already answered: ${question.answer ?? "no answer"} by ${question.answeredBy ?? "an unknown person"}${question.reason === "" ? "" : `: ${quoteExcerpt(question.reason)}`}`,
      advice: "The first answer counts. See what still waits with ambit inbox.",
    }),
  severalQuestions: (word: string, names: readonly string[]): DelegationError =>
    usageError(`"${word}" has ${names.length} open questions: ${names.join(", ")}`, "Name one of them."),
  wrongKindOfAnswer: (
    { id, kind }: { readonly id: string; readonly kind: ApprovalKind },
    inWords: boolean,
    commands: readonly string[],
  ): DelegationError =>
    usageError(
      `${id} (${kind}) needs ${inWords ? "a yes or a no, not words" : "words, not a yes or a no"}`,
      `Use ${commands.join(" or ")}.`,
    ),
  contextTooLong: (length: number, max: number): DelegationError =>
    usageError(
      `context and template together have ${length} characters; ${max} are allowed`,
      "Shorten --context or the template's guidance.",
    ),
  historyInUse: (open: readonly string[]): DelegationError =>
    usageError(
      `the history cannot be cleared while work is open: ${open.join(", ")}`,
      "Wait for it, or end it with ambit stop.",
    ),
  historyHoldsWork: (stories: readonly string[], count: number): DelegationError =>
    usageError(
      `the history cannot be cleared: ${countThings(count, "branch", "branches")} with completed work ${count === 1 ? "is" : "are"} not merged: ${stories.map((id) => `ambit/${id}`).join(", ")}`,
      "Merge each with ambit merge, or delete its branch with git branch -D.",
    ),
  historyInCluster: (): DelegationError =>
    usageError(
      "the journal of this project is in PostgreSQL, which other machines use",
      "Move it back to this machine first: ambit cluster export.",
    ),
  partsAreHandedOut: (source: string): DelegationError =>
    usageError(
      `the parts of ${source} are delegated by Ambit itself`,
      "Name the agent for them with --agent <name>, or in each part; a program after -- cannot do them.",
    ),
  unusableParts: (source: string, reason: string, cause?: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${quoteExcerpt(source, 200)} has no usable parts: ${reason}`,
      advice:
        'It needs [{"description": "…", "agent": "…", "accept": ["…"]}, …], or lines [delegate:description:hours].',
      cause,
    }),
  noAgentForParts: (source: string): DelegationError =>
    usageError(
      `no agent is named for the parts of ${source}`,
      "Add --agent <name>, set agents.default in ambit.yaml, or name an agent in each part.",
    ),
  partsTooLong: (source: string): DelegationError =>
    usageError(`the parts of ${source} are too long`, "Shorten their contexts and criteria."),
  unusablePrd: (file: string, reason: string, cause: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${file} is not a usable PRD file: ${reason}`,
      advice: 'It needs {"project": …, "userStories": [{"id", "title", "acceptanceCriteria"}]}.',
      cause,
    }),
  missingPrd: (file: string, cause: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${file} does not exist`,
      advice: "One word that ends with .json is the name of a PRD file. Check the name and the folder.",
      cause,
    }),
  cannotDetachFile: (count: number, file: string): DelegationError =>
    usageError(
      `${count} stories of ${file} are left, and each starts from the work of the one before`,
      "Drop --detach. To leave the terminal, start it in the background of your shell.",
    ),
  contractFixed: (id: string, state: string): DelegationError =>
    usageError(
      `${id} has not ended (it is ${state}), so its contract cannot be changed`,
      `Drop the options to continue it, or stop it first: ambit stop ${id}`,
    ),
  notEnded: (id: string, state: string): DelegationError =>
    makeError({
      code: "STORY_EXISTS",
      message: `${id} has not ended; it is ${state}.`,
      advice: `Continue it: ambit resume ${id}. Or stop it first: ambit stop ${id}.`,
    }),
};

/** Merging a story into the user's branch, and checking its work again. */
export const reviewErrors = {
  storyOnlyInGit: (story: string, cause: unknown): DelegationError =>
    makeError({
      code: "STORE_DAMAGED",
      message: `No readable store knows the story ${quoteExcerpt(story)}: git has its branch ambit/${quoteExcerpt(story)}, but not whether it was completed and proven.`,
      advice: `Repair the store: ambit doctor --repair. Or merge the branch as it is: ambit merge ${quoteExcerpt(story)} --partial`,
      cause,
    }),
  storyNotCompleted: (root: {
    readonly id: string;
    readonly state: string;
    readonly outcome: string | null;
    /** Led by an external manager, who continues where they are. */
    readonly isOutside: boolean;
    readonly unproven: readonly string[];
  }): DelegationError =>
    makeError({
      code: "MERGE_REFUSED",
      message: [`${root.id} is not completed (${root.outcome ?? root.state}).`, ...root.unproven].join("\n"),
      advice: `${root.isOutside ? "Delegate the rest again" : `Continue it with ambit resume ${root.id}`}, or merge the work so far: ambit merge ${root.id} --partial`,
    }),
  storyWaits: (
    story: string,
    { question, commands }: { readonly question: string; readonly commands: readonly string[] },
  ): DelegationError =>
    makeError({
      code: "MERGE_REFUSED",
      message: `${story} is not completed: it waits for your answer.\n${quoteExcerpt(question, 200)}`,
      advice: `Look at it with ambit inbox, then answer: ${commands.join(", or ")}`,
      recoverable: true,
    }),
  mergeRefused: (
    story: string,
    refusal: {
      readonly message: string;
      readonly recommendation: string;
      readonly files: readonly string[];
    },
  ): DelegationError =>
    makeError({
      code: "MERGE_REFUSED",
      message: [refusal.message, ...refusal.files].join("\n"),
      advice: refusal.recommendation.replace("<story branch>", `ambit/${story}`),
      recoverable: true,
    }),
  storyMoved: (story: string): DelegationError =>
    makeError({
      code: "MERGE_REFUSED",
      message: `${story} has changed since its merge was shown.`,
      advice: `Look at it again: ambit merge ${story} --dry-run`,
      recoverable: true,
    }),
  onlyWholeStories: (id: string, story: string): DelegationError =>
    usageError(
      `${id} is a part of ${story}; only whole stories are merged into your branch`,
      `Merge the story: ambit merge ${story}. See this part: ambit diff ${id}.`,
    ),
  notABranchName: (name: string): DelegationError =>
    usageError(`--into ${JSON.stringify(name)} is not a branch name`, "git branch lists the branches."),
  nothingToCheck: (id: string, story: string): DelegationError =>
    makeError({
      code: "WORKSPACE_NOT_FOUND",
      message: `${id} has no work yet that could be checked.`,
      advice: `See how far it is with ambit status ${story}.`,
    }),
};

/** The task list. */
export const taskListErrors = {
  tasksUnchanged: (failure: {
    readonly code: string;
    readonly recommendation: string;
    readonly lines: readonly string[];
  }): DelegationError =>
    new DelegationError({
      code: failure.code,
      message: failure.lines.join("\n"),
      recommendation: failure.recommendation,
      recoverable: true,
    }),
  unknownTaskStatus: (word: string, known: readonly string[]): DelegationError =>
    makeError({
      code: "TASK_STATUS_UNKNOWN",
      message: `"${quoteExcerpt(word)}" is not a task status`,
      advice: `Use one of: in_progress, ${known.join(", ")}.`,
    }),
  unknownPriority: (word: string): DelegationError =>
    usageError(`--priority is "${quoteExcerpt(word)}"`, "Use high, medium or low."),
  statusWithoutTasks: (status: string): DelegationError =>
    usageError(
      `"${status}" alone does not say which tasks get which status`,
      "As in: ambit task status 343-345 planned",
    ),
  nothingToEdit: (): DelegationError =>
    usageError(
      "no change is given",
      "Add --title, --description, --lang, --priority, --depends or --accept.",
    ),
  unusableSubtasks: (source: string, reason: string, cause?: unknown): DelegationError =>
    makeError({
      code: "INPUT_UNREADABLE",
      message: `${quoteExcerpt(source, 200)} ${reason}`,
      advice: 'It needs [{"title": "…", "description": "…", "after": [1]}, …], or just titles.',
      cause,
    }),
  taskOnlyInTodo: (id: string, paths: { readonly todo: string; readonly state: string }): DelegationError =>
    makeError({
      code: "TASK_NOT_FOUND",
      message: `Task ${quoteExcerpt(id)} is in ${paths.todo}, but not in ${paths.state}`,
      advice: `Import it first: ambit task sync ${quoteExcerpt(id)}.`,
    }),
  /** The words of R66. */
  taskNotFound: (id: string, newest: readonly string[], file: string): DelegationError =>
    makeError({
      code: "TASK_NOT_FOUND",
      message: `Task ${quoteExcerpt(id)} not found in TODO.md`,
      advice:
        newest.length === 0
          ? `There are no tasks in ${file}. Add one: ambit task add "What is to be done".`
          : `The newest are ${newest.join(", ")}; ambit task list shows all, --archived the archived ones.`,
    }),
};
