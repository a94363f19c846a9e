import type { CommandDefinition } from "../../agents/command-definitions.ts";
import type { WorkflowFacts } from "../../contract/workflow-facts.ts";
import { quoteAsData } from "../delegation/data-block.ts";
import type { CheckedWorkflow, Subject } from "./check-workflow.ts";
import type { EarlierRun } from "./earlier-run.ts";
import type { PhaseName } from "./plan-phases.ts";
import { listAllDocuments } from "./task-documents.ts";

export interface PromptFacts {
  readonly checked: CheckedWorkflow;
  readonly definition: CommandDefinition;
  readonly plan: WorkflowFacts["plan"];
  readonly document: string | null;
}

const MAX_LENGTH = 18_000;
const MAX_WORDS_LENGTH = 8000;
const MAX_TEXT_LENGTH = 4000;

/** The prompt's part about the command, short enough to leave the context to the work (R153). */
export function describeWork({ checked, definition, plan, document }: PromptFacts): string {
  const { words, subject, command } = checked;
  const parts = [
    ...(subject === undefined ? [] : describeTask(subject)),
    ...(words.trim() === "" ? [] : [words.trim().slice(0, MAX_WORDS_LENGTH)]),
    definition.instructions.replaceAll("$ARGUMENTS", words.trim().slice(0, MAX_TEXT_LENGTH)),
    ...(subject === undefined ? [] : [listDocuments(checked, subject)]),
    ...describePlan(command, plan),
    ...(document === null ? [] : [describeDocument(command, document)]),
  ];
  return parts
    .filter((part) => part !== "")
    .join("\n\n")
    .slice(0, MAX_LENGTH);
}

function describeTask({ task }: Subject): readonly string[] {
  const { id, title, description, language, dependencies, effort } = task;
  const facts = [
    `Language: ${language === "" ? "general" : language}`,
    ...(effort === "" ? [] : [`Effort: ${effort}`]),
    ...(dependencies.length === 0 ? [] : [`Depends on: ${dependencies.join(", ")}`]),
  ];
  return [`Task ${id}: ${title}`, description.slice(0, MAX_TEXT_LENGTH), facts.join("\n")];
}

const MAX_DOCUMENTS = 30;

function listDocuments({ workflow }: CheckedWorkflow, { folder }: Subject): string {
  const documents = listAllDocuments(workflow.projectRoot, folder).slice(-MAX_DOCUMENTS);
  if (documents.length === 0) return "";
  return ["Documents of this task so far:", ...documents.map((path) => `- ${path}`)].join("\n");
}

function describePlan(command: string, plan: WorkflowFacts["plan"]): readonly string[] {
  if (plan === null)
    return command === "revise" ? ["This task has no plan yet: write the first version."] : [];
  if (command === "revise") return [`The plan to revise: ${plan.path}. It stays as it is.`];
  if (plan.phases === 0) return [`Plan: ${plan.path}`];
  if (plan.next === null)
    return [`Plan: ${plan.path}. All ${plan.phases} phases are marked as done: check them.`];
  return [`Plan: ${plan.path}, ${plan.phases} ${plan.phases === 1 ? "phase" : "phases"}.`];
}

/** The task of one worker of a plan: its phase, and that code and not the worker marks it. */
export function describePhase(
  { number, title }: PhaseName,
  { path, phases }: NonNullable<WorkflowFacts["plan"]>,
): string {
  const name = title === "" ? `phase ${number}` : `phase ${number}: ${title}`;
  return [
    `Your work is ${name}, one of ${phases} in ${path}.`,
    "Do this phase only. Earlier phases are done and in your folder; later ones get a worker of their own.",
    "Ambit marks the phase in the plan when its checks have passed; leave the markers alone.",
  ].join("\n");
}

function describeDocument(command: string, document: string): string {
  if (command === "implement") return `Leave your summary in ${document}; add to it if it exists.`;
  return `Write it to ${document} and name that file in your return. Change no other file.`;
}

/** Tells the first worker of a run about the work that it continues. */
export function describeHandover({ continues, outcome, code, summary }: EarlierRun): string {
  const how = code === null ? outcome : `${outcome}, ${code}`;
  const told = summary.slice(0, MAX_TEXT_LENGTH);
  return `You continue ${continues}, which ended ${how}. Its work is in your folder already.\n${quoteAsData(continues, told)}`;
}
