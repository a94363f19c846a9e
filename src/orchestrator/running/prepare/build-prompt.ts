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

/** Everything an agent is told. The limits in it only inform the agent; Ambit enforces them anyway. */
export async function buildPrompt(tools: RunTools, facts: PromptFacts): Promise<string> {
  const { delegation, files, turn } = facts;
  const others = await tools.store.othersInStory(delegation, MAX_SIBLINGS);
  return [
    `# ${delegation.description}`,
    "",
    ...turn.news.flatMap((line) => [line, ""]),
    ...renderSection("Background", delegation.work?.context ?? ""),
    ...renderSection("Done when", listCriteria(delegation)),
    ...renderSection("Change only", delegation.scope.map((glob) => `- ${glob}`).join("\n")),
    "## Bounds",
    ...listBounds(delegation),
    ...describeCalls(tools, delegation),
    "",
    ...renderSection("Others at work", listSiblings(others)),
    "## Your return",
    `Before you begin, write {"status":"in_progress"} to ${files.returnFile}, so that an interruption can be distinguished from an attempt that never started.`,
    `Your identity, to be copied into metadata: ${JSON.stringify(buildReturnMetadata(delegation))}`,
    `If you run out of context, write what the next session must know to ${files.handoverFile} and end your turn.`,
    "",
    returnInstruction({ returnFile: files.returnFile }),
    "",
  ].join("\n");
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

function listCriteria({ work }: Delegation): string {
  return (work?.criteria ?? [])
    .map(
      ({ text, check }) =>
        `- ${text}${check !== undefined && "command" in check ? ` (checked with: ${check.command})` : ""}`,
    )
    .join("\n");
}

function listBounds(delegation: Delegation): readonly string[] {
  const { timeoutSeconds, tokens, money } = delegation;
  return [
    `- ${timeoutSeconds} s for this attempt; work only in the current folder; commits are made for you.`,
    ...(money.limit === null
      ? []
      : [`- ${(money.limit / 1_000_000).toFixed(2)} dollars, ${(money.spent / 1_000_000).toFixed(2)} used.`]),
    ...(tokens.limit === null ? [] : [`- ${tokens.limit} tokens, ${tokens.spent} used.`]),
  ];
}

/** An agent without Ambit's MCP tools uses its shell, or its last message. */
function describeCalls(tools: RunTools, { work }: Delegation): readonly string[] {
  const hasTools = tools.findAdapter(work?.adapter ?? "command").capabilities.mcp;
  const [hand, ask] = hasTools
    ? // Some agent CLIs do not list a server's tools, and can call them all the same.
      [
        "call the tool delegate of the MCP server ambit, listed or not, once, with all parts",
        'call its tool send_agent_message with {"to":"manager","message":{"type":"clarification_request","question":"…"}}',
      ]
    : ['ambit delegate "what" --accept "how it is proven"', 'ambit ask "question"'];
  return [
    `- To delegate a part to another agent: ${hand}; or end your turn with [delegate:what:hours].`,
    `- To ask your manager or the person: ${ask}. Notes for all: the folder in AMBIT_SCRATCHPAD.`,
  ];
}

const MAX_SIBLINGS = 20;

/** The other workers and their tasks, so that no work is done twice. */
function listSiblings(others: readonly NamedDelegation[]): string {
  return others
    .map(({ id, description, state, outcome }) => `- ${id} ${outcome ?? state}: ${description}`)
    .join("\n");
}

function renderSection(title: string, text: string): readonly string[] {
  return text === "" ? [] : [`## ${title}`, text, ""];
}
