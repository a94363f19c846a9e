import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { approvalKinds } from "../contract/approval.ts";
import { workErrors } from "../errors/work.ts";
import type { StoreReader } from "../journal/store.ts";
import { diffUseCase } from "./diff.ts";
import type { AppContext } from "./project/app-context.ts";
import { changedFileSchema } from "./project/changed-files.ts";
import { findWaitingWork } from "./project/waiting-work.ts";
import { blockedSchema, readBlockedWork } from "./inbox/blocked-work.ts";
import { newsSchema, readNews } from "./inbox/news.ts";
import { readStore } from "./project/open-project.ts";
import {
  answeringCommands,
  findExpiry,
  findQuestion,
  readOpenQuestions,
  type OpenQuestion,
} from "./project/open-questions.ts";
import { readAllUnservedWork, unservedSchema } from "./project/unserved-work.ts";
import { defineUseCase } from "./use-case.ts";

const questionSchema = () =>
  z.looseObject({
    id: z.string(),
    name: z.string().describe("The shortest word that answers it"),
    story: z.string(),
    delegation: z.string(),
    description: z.string(),
    kind: z.enum(approvalKinds),
    question: z.string(),
    details: z.array(z.string()),
    asked_at: z.string(),
    expires_at: z.string(),
    answer_with: z.array(z.string()).describe("Commands"),
    blocks: z.array(z.string()).describe("Open work that waits for the answer"),
    changes: changesSchema().nullable().describe("The changes of its work so far; null if nothing is kept"),
  });

const changesSchema = () =>
  z.looseObject({
    files: z.array(changedFileSchema()),
    added: z.int(),
    removed: z.int(),
    patch: z.string().nullable().describe("Null unless one question was asked for"),
    is_cut: z.boolean(),
  });

const output = () =>
  z.looseObject({
    questions: z.array(questionSchema()),
    blocked: z.array(blockedSchema()).describe("Stories that ended because only you can help"),
    unserved: z.array(unservedSchema()).describe("Work that no machine of the cluster can begin"),
    news: z.array(newsSchema()),
  });

export type InboxAnswer = z.output<ReturnType<typeof output>>;

/** Lists open questions to a person, and the latest reports of agents. Reads the store; needs no supervisor. */
export const inboxUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      id: z
        .string()
        .default("")
        .describe("Only this question, with every changed line, or this blocked story"),
    }),
  output,
  isReadOnly: true,
  run: (context, { id }) =>
    readStore(context, async (reader, { storeFile }) => {
      if (reader === undefined && id !== "") throw workErrors.noOpenQuestion(id);
      if (reader === undefined) return emptyInbox;
      const allBlocked = await readBlockedWork(reader, systemClock.wallMs());
      const blocked = allBlocked.filter(({ story }) => id === "" || story === id);
      if (id !== "" && blocked.length > 0) return { ...emptyInbox, blocked };
      if (id !== "") return { ...emptyInbox, questions: [await showOne(context, reader, id)] };
      const open = await readOpenQuestions(reader);
      const questions = await Promise.all(open.map((one) => describeQuestion(context, reader, one)));
      const news = await readNews(reader);
      const unserved = await readAllUnservedWork(storeFile, reader);
      return { questions, blocked, unserved, news: [...news] };
    }),
});

type Question = InboxAnswer["questions"][number];

const emptyInbox: InboxAnswer = { questions: [], blocked: [], unserved: [], news: [] };

async function showOne(context: AppContext, reader: StoreReader, id: string): Promise<Question> {
  const question = await findQuestion(reader, id, { isExact: false });
  const described = await describeQuestion(context, reader, question);
  return { ...described, changes: await readChanges(context, question, "patch") };
}

const MAX_PATCH_BYTES = 256 * 1024;

/** The work that an answer is about, as far as it is kept. */
async function readChanges(
  context: AppContext,
  { approval, delegation }: OpenQuestion,
  kind: "patch" | "stat",
): Promise<Question["changes"]> {
  if (approval.kind === "cost" || delegation.tip === null) return null;
  const quiet = { ...context, warn: () => undefined };
  try {
    const answer = await diffUseCase.run(quiet, {
      id: delegation.id,
      kind,
      against: "base",
      maxBytes: MAX_PATCH_BYTES,
    });
    const { files, added, removed, patch, is_cut } = answer;
    return { files, added, removed, patch, is_cut };
  } catch {
    // Nothing is kept yet, or its branch is gone: the question can be answered all the same.
    return null;
  }
}

async function describeQuestion(
  context: AppContext,
  reader: StoreReader,
  question: OpenQuestion,
): Promise<Question> {
  const { approval, delegation, name } = question;
  const tree = await reader.storyTree(delegation.story);
  return {
    id: approval.id,
    name,
    story: approval.story,
    delegation: delegation.id,
    description: delegation.description,
    kind: approval.kind,
    question: approval.question,
    details: [...approval.details],
    asked_at: approval.askedAt,
    expires_at: findExpiry(question),
    answer_with: [...answeringCommands(question)],
    blocks: [...findWaitingWork(tree, delegation.id)],
    changes: await readChanges(context, question, "stat"),
  };
}
