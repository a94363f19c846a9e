import { systemClock } from "../../../base/clock.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { paint } from "../../render/paint.ts";
import { renderInbox } from "../../render/inbox.ts";
import { readStore } from "../../../app/open-project.ts";
import { newsDocument, newsEntry, readNews } from "./news.ts";
import { answeringCommands, readOpenQuestions, type OpenQuestion } from "../work/open-questions.ts";

/** What waits for a person, read from the store: no supervisor is needed to see it. */
export function showInbox(context: CommandContext): Promise<CommandOutcome> {
  return readStore(context, async (reader) => {
    const questions = reader === undefined ? [] : await readOpenQuestions(reader);
    const news = reader === undefined ? [] : await readNews(reader);
    return {
      exitCode: exitCode.completed,
      json: { questions: questions.map(questionDocument), news: news.map(newsDocument) },
      text: renderInbox(questions.map(entryOf), {
        nowMs: systemClock.wallMs(),
        paint: paint(context.color("stdout")),
        news: news.map(newsEntry),
      }),
    };
  });
}

function questionDocument(question: OpenQuestion): Readonly<Record<string, unknown>> {
  const { approval, delegation, name } = question;
  return {
    id: approval.id,
    name,
    story: approval.story,
    delegation: delegation.id,
    description: delegation.description,
    kind: approval.kind,
    question: approval.question,
    details: approval.details,
    asked_at: approval.askedAt,
    expires_at: new Date(expiryOf(question)).toISOString(),
    answer_with: answeringCommands(question),
  };
}

function entryOf(question: OpenQuestion) {
  const { approval, delegation, name } = question;
  return {
    name,
    kind: approval.kind,
    about: delegation.description,
    question: approval.question,
    details: approval.details,
    askedMs: Date.parse(approval.askedAt),
    expiresMs: expiryOf(question),
    commands: answeringCommands(question),
  };
}

/** No question waits for longer than its delegation may run. */
function expiryOf({ approval, delegation }: OpenQuestion): number {
  return Date.parse(approval.askedAt) + delegation.timeoutSeconds * 1000;
}
