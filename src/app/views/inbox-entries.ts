import { joinSentences } from "../../base/join-sentences.ts";
import { formatPlace } from "../../contract/child-id.ts";
import type { Approval, Delegation, StoreReader } from "../../journal/store.ts";
import { findExpiry, readOpenQuestions } from "../project/open-questions.ts";
import { readBlockedWork, type BlockedWork as EndedBlocked } from "../inbox/blocked-work.ts";
import { readAllUnservedWork, type UnservedWork } from "../project/unserved-work.ts";
import type { BlockedStory, BlockedWork, Inbox, InboxEntry, UnservedEntry } from "./types/inbox.ts";
import { parseTime } from "./story-summary.ts";

const MAX_ENTRIES = 500;

interface InboxSource {
  readonly storeFile: string;
  /** Undefined before the first story. */
  readonly reader: StoreReader | undefined;
  readonly nowMs: number;
}

/** Lists the questions to a person, oldest first. */
export async function readInbox({ storeFile, reader, nowMs }: InboxSource): Promise<Inbox> {
  if (reader === undefined) return { seq: 0, entries: [], blocked: [], unserved: [] };
  const { seq } = await reader.head();
  const questions = (await readOpenQuestions(reader)).slice(0, MAX_ENTRIES);
  const trees = new Map<string, readonly Delegation[]>();
  for (const story of new Set(questions.map(({ approval }) => approval.story)))
    trees.set(story, await reader.storyTree(story));
  const entries = questions.map((question) => {
    const tree = trees.get(question.approval.story) ?? [];
    return describeInboxEntry(question, tree);
  });
  const blocked = (await readBlockedWork(reader, nowMs)).map(describeBlockedStory);
  const unserved = (await readAllUnservedWork(storeFile, reader)).map(describeUnserved);
  return { seq, entries, blocked, unserved };
}

function describeUnserved(work: UnservedWork): UnservedEntry {
  const { story: run, delegation: id, description: title, text, told_at: at } = work;
  return { id, run, label: formatPlace(id, run) ?? "", title, text, toldAtMs: parseTime(at) };
}

function describeBlockedStory(work: EndedBlocked): BlockedStory {
  const { story, description, summary, needs, next_steps: nextSteps, blocked_at: at } = work;
  const said = needs.map(({ message, recommendation }) => joinSentences(message, recommendation));
  const isAnswerable = work.answer_with.some((command) => command.startsWith("ambit reply "));
  return {
    id: story,
    title: description,
    summary,
    needs: nextSteps === null ? said : [...said, nextSteps],
    blockedAtMs: parseTime(at),
    can: isAnswerable ? ["unblock"] : [],
  };
}

export function describeInboxEntry(
  question: { readonly approval: Approval; readonly delegation: Delegation },
  tree: readonly Delegation[],
): InboxEntry {
  const { approval, delegation } = question;
  return {
    id: approval.id,
    run: approval.story,
    runTitle: tree.find(({ id }) => id === approval.story)?.description ?? "",
    delegation: delegation.id,
    label: formatPlace(delegation.id, delegation.story) ?? "",
    title: delegation.description,
    agent: delegation.agent ?? "",
    kind: approval.kind,
    question: approval.question,
    details: approval.details,
    askedAtMs: parseTime(approval.askedAt),
    expiresAtMs: parseTime(findExpiry(question)),
    blocks: listBlocked(delegation.id, tree),
    // Words answer a clarification; everything else is a yes or a no.
    can: approval.kind === "clarification" ? ["reply"] : ["approve", "reject"],
  };
}

/** The open work that cannot go on before this work has: directly, or through other work. */
function listBlocked(id: string, tree: readonly Delegation[]): readonly BlockedWork[] {
  const open = tree.filter(({ state }) => state !== "closed");
  const found = new Set([id]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const one of open) if (listWaits(one).some((other) => found.has(other))) found.add(one.id);
  }
  return open
    .filter((one) => one.id !== id && found.has(one.id))
    .map((one) => ({
      id: one.id,
      label: formatPlace(one.id, one.story) ?? "",
      title: one.description,
    }));
}

function listWaits({ state, waitingFor, work }: Delegation): readonly string[] {
  return state === "queued" ? [...waitingFor, ...(work?.dependsOn ?? [])] : waitingFor;
}
