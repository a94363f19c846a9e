import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { returnInstruction } from "../../../contract/return-instruction.ts";
import { childPrd } from "../../../contract/story.ts";
import type { Delegation, NamedDelegation } from "../../../journal/store.ts";
import type { AttemptFiles } from "../../delegation/attempt-files.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { Turn } from "./prepare-turn.ts";

export interface PromptFacts {
  readonly delegation: Delegation;
  readonly files: AttemptFiles;
  readonly turn: Turn;
}

/** Everything an agent is told. Limits are named for its sake only; they hold whatever it does. */
export async function buildPrompt(tools: RunTools, facts: PromptFacts): Promise<string> {
  const { delegation, files, turn } = facts;
  const others = await tools.store.othersInStory(delegation, MOST_SIBLINGS);
  return [
    `# ${delegation.description}`,
    "",
    ...turn.news.flatMap((line) => [line, ""]),
    ...section("Background", delegation.work?.context ?? ""),
    ...section("Done when", criteriaLines(delegation)),
    ...section("Change only", delegation.scope.map((glob) => `- ${glob}`).join("\n")),
    "## Bounds",
    ...boundLines(delegation),
    ...callLines(tools, delegation),
    "",
    ...section("Others at work", siblingLines(others)),
    "## Your return",
    `Before you begin, write {"status":"in_progress"} to ${files.returnFile}, so that an interruption can be told apart from a start that never was.`,
    `Your identity, to be copied into metadata: ${JSON.stringify(returnMetadata(delegation))}`,
    `If you run out of context, write what the next session must know to ${files.handoverFile} and end your turn.`,
    "",
    returnInstruction({ returnFile: files.returnFile }),
    "",
  ].join("\n");
}

export function returnMetadata(delegation: Delegation): Readonly<Record<string, unknown>> {
  return {
    session_id: delegation.sessionId,
    agent_type: delegation.agent ?? delegation.id,
    delegation_depth: delegation.depth,
    delegation_path: delegation.path,
  };
}

/** Notes all workers of a story share; nothing in it is ever run or merged. */
export function scratchpadOf(stateDirectory: string, story: string): string {
  const folder = join(stateDirectory, "scratchpads", story);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The worker's own PRD, in the form story files have (R78, R79). */
export function workerPrd(delegation: Delegation) {
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

function criteriaLines({ work }: Delegation): string {
  return (work?.criteria ?? [])
    .map(
      ({ text, check }) =>
        `- ${text}${check !== undefined && "command" in check ? ` (checked with: ${check.command})` : ""}`,
    )
    .join("\n");
}

function boundLines(delegation: Delegation): readonly string[] {
  const { timeoutSeconds, tokens, money } = delegation;
  return [
    `- ${timeoutSeconds} s for this attempt; work only in the current folder; commits are made for you.`,
    ...(money.limit === null
      ? []
      : [`- ${(money.limit / 1_000_000).toFixed(2)} dollars, ${(money.spent / 1_000_000).toFixed(2)} used.`]),
    ...(tokens.limit === null ? [] : [`- ${tokens.limit} tokens, ${tokens.spent} used.`]),
  ];
}

/** An agent that has our tools is told of them; every other one has its shell and its last words. */
function callLines(tools: RunTools, { work }: Delegation): readonly string[] {
  const hasTools = tools.findAdapter(work?.adapter ?? "command").capabilities.mcp;
  const [hand, ask] = hasTools
    ? // Some CLIs leave the tools of a server out of their list; they can be called all the same.
      [
        "call the tool delegate of the MCP server ambit, listed or not, once, with all parts",
        'call its tool send_agent_message with {"to":"manager","message":{"type":"clarification_request","question":"…"}}',
      ]
    : ['ambit delegate "what" --accept "how it is proven"', 'ambit ask "question"'];
  return [
    `- To hand a part to another agent: ${hand}; or end your turn with [delegate:what:hours].`,
    `- To ask your manager or the person: ${ask}. Notes for all: the folder in AMBIT_SCRATCHPAD.`,
  ];
}

const MOST_SIBLINGS = 20;

/** The task list: who does what, so that nobody does it twice. */
function siblingLines(others: readonly NamedDelegation[]): string {
  return others
    .map(({ id, description, state, outcome }) => `- ${id} ${outcome ?? state}: ${description}`)
    .join("\n");
}

function section(title: string, text: string): readonly string[] {
  return text === "" ? [] : [`## ${title}`, text, ""];
}
