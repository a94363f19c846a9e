import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { approvalKinds } from "../contract/approval.ts";
import { blockedSchema, readBlockedWork } from "./inbox/blocked-work.ts";
import { newsSchema, readNews } from "./inbox/news.ts";
import { readStore } from "./project/open-project.ts";
import {
  answeringCommands,
  findExpiry,
  readOpenQuestions,
  type OpenQuestion,
} from "./project/open-questions.ts";
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
  });

const output = () =>
  z.looseObject({
    questions: z.array(questionSchema()),
    blocked: z.array(blockedSchema()).describe("Stories that ended because only you can help"),
    news: z.array(newsSchema()),
  });

export type InboxAnswer = z.output<ReturnType<typeof output>>;

/** What waits for a person's answer, and what agents reported last. Read from the store; needs no supervisor. */
export const inboxUseCase = defineUseCase({
  input: () => z.strictObject({}),
  output,
  isReadOnly: true,
  run: (context) =>
    readStore(context, async (reader) => {
      if (reader === undefined) return { questions: [], blocked: [], news: [] };
      const questions = await readOpenQuestions(reader);
      const blocked = await readBlockedWork(reader, systemClock.wallMs());
      const news = await readNews(reader);
      return { questions: questions.map(describeQuestion), blocked: [...blocked], news: [...news] };
    }),
});

function describeQuestion(question: OpenQuestion): InboxAnswer["questions"][number] {
  const { approval, delegation, name } = question;
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
  };
}
