import * as z from "zod";
import { randomBase36 } from "../../base/ids.ts";
import type { ApprovalKind } from "../../contract/approval.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import type { EngineCalls } from "../live/engine-calls.ts";
import { isExternalManager } from "../delegation/kind.ts";
import { isWorkerOf } from "./caller.ts";

/** An open request, as a manager sees it. */
export interface OpenQuestion {
  readonly id: string;
  readonly delegation_id: string;
  readonly kind: ApprovalKind;
  readonly question: string;
  readonly details: readonly string[];
  /** The tool that settles it; `person` if only a person can. */
  readonly answer_with: "reply" | "verify" | "person";
}

const MAX_OPEN = 10_000;
const PAGE = 500;

/** The open requests in the caller's story that it can settle itself or, if asked for, a person. */
export async function listOpenQuestions(
  engine: EngineCalls,
  manager: Delegation,
  withPerson: boolean,
): Promise<readonly OpenQuestion[]> {
  const open = await engine.tools.store.openApprovals(MAX_OPEN);
  return open.filter((approval) => concernsManager(manager, approval, withPerson)).map(describeQuestion);
}

/**
 * Whether a request is for this manager: it settles the questions of its own workers. Requests about money or scope are
 * for a person, and only shown to a caller that has a person in front of it.
 */
function concernsManager(
  manager: Delegation,
  asked: Pick<Approval, "story" | "delegation" | "kind">,
  withPerson: boolean,
): boolean {
  if (chooseTool(asked.kind) === "person")
    return withPerson && isExternalManager(manager) && asked.story === manager.story;
  return isWorkerOf(manager, asked);
}

function describeQuestion({ id, delegation, kind, question, details }: Approval): OpenQuestion {
  return { id, delegation_id: delegation, kind, question, details, answer_with: chooseTool(kind) };
}

function chooseTool(kind: ApprovalKind): OpenQuestion["answer_with"] {
  if (kind === "clarification") return "reply";
  return kind === "criterion" ? "verify" : "person";
}

export interface QuestionWatch {
  /** Resolves when a question is asked after the cursor. */
  readonly asked: Promise<void>;
  stop(): void;
}

/** Watches for questions after a cursor; the caller knows the earlier ones already. */
export async function watchQuestions(
  engine: EngineCalls,
  manager: Delegation,
  { cursor, withPerson }: { readonly cursor: string | undefined; readonly withPerson: boolean },
): Promise<QuestionWatch> {
  let announce = (): void => undefined;
  const asked = new Promise<void>((resolve) => (announce = resolve));
  // It listens first, so that no question is missed while the past is read.
  const stop = engine.tools.store.onEvent((event) => {
    if (event.type !== "approval-requested" || event.delegation === null) return;
    const { story, delegation } = event;
    if (concernsManager(manager, { story, delegation, kind: event.data.kind }, withPerson)) announce();
  });
  const open = await listOpenQuestions(engine, manager, withPerson);
  if (open.length > 0 && (await hasNewQuestion(engine, open, { story: manager.story, cursor }))) announce();
  return { asked, stop };
}

const askedSchema = z.looseObject({
  type: z.literal("approval-requested"),
  data: z.looseObject({ approvalId: z.string() }),
});

async function hasNewQuestion(
  engine: EngineCalls,
  open: readonly OpenQuestion[],
  { story, cursor }: { readonly story: string; readonly cursor: string | undefined },
): Promise<boolean> {
  if (cursor === undefined) return true;
  const ids = new Set(open.map(({ id }) => id));
  let after = readSequence(cursor);
  for (;;) {
    const page = await engine.tools.store.eventsAfter(after, PAGE, { story });
    const asked = page.events.map(({ body }) => askedSchema.safeParse(JSON.parse(body)));
    if (asked.some((event) => event.success && ids.has(event.data.data.approvalId))) return true;
    after = page.cursor;
    if (page.events.length < PAGE) return false;
  }
}

/** Different each time, even when nothing happened, because agent CLIs stop agents that repeat the same call. */
export async function newCursor(engine: EngineCalls): Promise<string> {
  const { seq } = await engine.tools.store.head();
  return `${seq}.${randomBase36(6)}`;
}

function readSequence(cursor: string): number {
  const number = Number(cursor.split(".", 1)[0]);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
