import * as z from "zod";
import { randomBase36 } from "../../base/ids.ts";
import type { ApprovalKind } from "../../contract/approval.ts";
import type { Approval, Delegation } from "../../journal/store.ts";
import type { Engine } from "../engine.ts";
import { isOutside } from "../external-manager/rules.ts";
import { isWorkerOf } from "./caller.ts";

/** What waits for somebody, as a manager is told. */
export interface ToldQuestion {
  readonly id: string;
  readonly delegation_id: string;
  readonly kind: ApprovalKind;
  readonly question: string;
  readonly details: readonly string[];
  /** Which tool settles it; a person is needed for the rest. */
  readonly answer_with: "reply" | "verify" | "person";
}

const MOST_OPEN = 10_000;
const PAGE = 500;

/** Questions that are open in the caller's story and either its own to settle or, where asked for, a person's. */
export async function openQuestions(
  engine: Engine,
  manager: Delegation,
  withPerson: boolean,
): Promise<readonly ToldQuestion[]> {
  const open = await engine.tools.store.openApprovals(MOST_OPEN);
  return open.filter((approval) => concerns(manager, approval, withPerson)).map(tell);
}

/**
 * A manager settles what its own workers ask. What costs money or leaves a scope is a person's, and is told only to who
 * has one in front of them.
 */
function concerns(
  manager: Delegation,
  asked: Pick<Approval, "story" | "delegation" | "kind">,
  withPerson: boolean,
): boolean {
  if (answeredWith(asked.kind) === "person")
    return withPerson && isOutside(manager) && asked.story === manager.story;
  return isWorkerOf(manager, asked);
}

function tell({ id, delegation, kind, question, details }: Approval): ToldQuestion {
  return { id, delegation_id: delegation, kind, question, details, answer_with: answeredWith(kind) };
}

function answeredWith(kind: ApprovalKind): ToldQuestion["answer_with"] {
  if (kind === "clarification") return "reply";
  return kind === "criterion" ? "verify" : "person";
}

export interface QuestionWatch {
  /** Resolves when a question comes up that was not there at the cursor. */
  readonly asked: Promise<void>;
  stop(): void;
}

/** Watches for questions after a cursor; those from before were told already and interrupt nothing. */
export async function watchQuestions(
  engine: Engine,
  manager: Delegation,
  { cursor, withPerson }: { readonly cursor: string | undefined; readonly withPerson: boolean },
): Promise<QuestionWatch> {
  let announce = (): void => undefined;
  const asked = new Promise<void>((resolve) => (announce = resolve));
  // Listening first: what is asked while the past is read must not be missed.
  const stop = engine.tools.store.onEvent((event) => {
    if (event.type !== "approval-requested" || event.delegation === null) return;
    const { story, delegation } = event;
    if (concerns(manager, { story, delegation, kind: event.data.kind }, withPerson)) announce();
  });
  const open = await openQuestions(engine, manager, withPerson);
  if (open.length > 0 && (await hasNew(engine, open, { story: manager.story, cursor }))) announce();
  return { asked, stop };
}

const askedSchema = z.looseObject({
  type: z.literal("approval-requested"),
  data: z.looseObject({ approvalId: z.string() }),
});

async function hasNew(
  engine: Engine,
  open: readonly ToldQuestion[],
  { story, cursor }: { readonly story: string; readonly cursor: string | undefined },
): Promise<boolean> {
  if (cursor === undefined) return true;
  const ids = new Set(open.map(({ id }) => id));
  let after = sequenceOf(cursor);
  for (;;) {
    const page = await engine.tools.store.eventsAfter(after, PAGE, { story });
    const asked = page.events.map(({ body }) => askedSchema.safeParse(JSON.parse(body)));
    if (asked.some((event) => event.success && ids.has(event.data.data.approvalId))) return true;
    after = page.cursor;
    if (page.events.length < PAGE) return false;
  }
}

/** Different each time, even when nothing happened: agents are stopped for making the same call again and again. */
export async function newCursor(engine: Engine): Promise<string> {
  const { seq } = await engine.tools.store.head();
  return `${seq}.${randomBase36(6)}`;
}

function sequenceOf(cursor: string): number {
  const number = Number(cursor.split(".", 1)[0]);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
