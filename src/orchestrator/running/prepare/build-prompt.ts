import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { safeText } from "../../../base/safe-text.ts";
import { askForReturn } from "../../../contract/return-instruction.ts";
import { childPrd } from "../../../contract/story.ts";
import type { Delegation, NamedDelegation } from "../../../journal/store.ts";
import type { AttemptFiles } from "../../delegation/attempt-files.ts";
import { DATA_RULE, hasDataBlock, quoteAsData } from "../../delegation/data-block.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import { describeCalls, findWorkerCapabilities, nameTool } from "./describe-calls.ts";
import type { Turn } from "./prepare-turn.ts";

export interface PromptFacts {
  readonly delegation: Delegation;
  readonly files: AttemptFiles;
  readonly turn: Turn;
}

/** The whole prompt of an agent. The limits in it only inform the agent; Ambit enforces them anyway. */
export async function buildPrompt(tools: RunTools, facts: PromptFacts): Promise<string> {
  const { delegation, files, turn } = facts;
  const capabilities = findWorkerCapabilities(tools, delegation);
  const isReview = delegation.work?.review !== undefined;
  const hasTool = capabilities.mcp && !isReview;
  const others = listSiblings(await tools.store.othersInStory(delegation, MAX_SIBLINGS));
  const hasData = [...turn.news, delegation.work?.context ?? "", others].some(hasDataBlock);
  return [
    `# ${delegation.description}`,
    "",
    ...turn.news.flatMap((line) => [line, ""]),
    ...renderSection("Background", delegation.work?.context ?? ""),
    ...renderSection("Done when", isReview ? "" : listCriteria(delegation)),
    ...renderSection("Change only", delegation.scope.map((glob) => `- ${glob}`).join("\n")),
    ...renderSection("Others at work", others),
    "## Bounds",
    ...listBounds(delegation),
    ...(await describeCalls(tools, delegation)),
    ...(hasData ? [`- ${DATA_RULE}`] : []),
    "",
    "## Your return",
    ...(capabilities.mcp ? [] : [describeHandover(files.handoverFile)]),
    askForReturn(
      hasTool ? { tool: nameTool(capabilities, "submit_return") } : { returnFile: files.returnFile },
    ),
    ...(isReview ? [REVIEW_RETURN] : []),
    "",
  ].join("\n");
}

const REVIEW_RETURN = [
  'Add "review": [{"criterion": "its id", "verdict": "passed|failed|unclear", "reason": "one or two sentences", "evidence": [{"file": "relative/path", "quote": "text copied from that file"}]}], one entry for each criterion.',
  "passed counts only with evidence that is found in the folder as you were given it. Say unclear where you cannot tell. Leave artifacts empty.",
].join("\n");

function describeHandover(file: string): string {
  return `Out of context? Write what the next session must know to ${file} and end your turn.`;
}

export function buildReturnMetadata(delegation: Delegation): Readonly<Record<string, unknown>> {
  return {
    session_id: delegation.sessionId,
    agent_type: delegation.agent ?? delegation.id,
    delegation_depth: delegation.depth,
    delegation_path: delegation.path,
  };
}

/** The folder for notes that all workers of a story share; nothing in it is ever run or merged. */
export function findScratchpad(stateDirectory: string, story: string): string {
  const folder = join(stateDirectory, "scratchpads", story);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The worker's own PRD, in the form story files have (R78, R79). */
export function buildWorkerPrd(delegation: Delegation) {
  const { id, parent, description, depth, estimatedHours, criteria, scope } = delegation;
  return childPrd({
    parentId: parent ?? id,
    childId: id,
    description,
    depth,
    acceptanceCriteria: criteria,
    ...(estimatedHours === null ? {} : { estimatedHours }),
    ...(scope.length === 0 ? {} : { fileScope: scope }),
  });
}

/** Lists only criteria that decide about the work: default texts that nothing checks are left out. */
function listCriteria({ work }: Delegation): string {
  const required = (work?.criteria ?? []).filter((criterion) => criterion.required);
  if (required.length === 0) return "No check was named. Say in your summary how you tested your work.";
  return required
    .map(
      ({ text, check }) =>
        `- ${text}${check !== undefined && "command" in check ? ` (checked with: ${check.command})` : ""}`,
    )
    .join("\n");
}

function listBounds(delegation: Delegation): readonly string[] {
  const { timeoutSeconds, tokens, money, work } = delegation;
  const limits = [
    describeTime(timeoutSeconds),
    ...(money.limit === null ? [] : [`$${formatUsd(money.limit)}, $${formatUsd(money.spent)} used`]),
    ...(tokens.limit === null ? [] : [`${tokens.limit} tokens, ${tokens.spent} used`]),
  ];
  return [
    work?.review === undefined
      ? "- Work only in this folder. Your work is committed, checked and merged for you."
      : "- Change nothing: what you change in this folder is dropped.",
    `- You have ${limits.join("; ")}.`,
  ];
}

function describeTime(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

function formatUsd(microUsd: number): string {
  return (microUsd / 1_000_000).toFixed(2);
}

const MAX_SIBLINGS = 20;

/** The other workers and their tasks, so that no work is done twice. */
function listSiblings(others: readonly NamedDelegation[]): string {
  if (others.length === 0) return "";
  const lines = others.map(
    ({ id, description, state, outcome }) => `- ${id} ${outcome ?? state}: ${safeText(description)}`,
  );
  return quoteAsData("others", lines.join("\n"));
}

function renderSection(title: string, text: string): readonly string[] {
  return text === "" ? [] : [`## ${title}`, text, ""];
}
