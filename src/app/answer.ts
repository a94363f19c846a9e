import * as z from "zod";
import { approvalKinds } from "../contract/approval.ts";
import { workErrors } from "../errors/work.ts";
import type { Delegation } from "../journal/store.ts";
import { readWorkflowFacts } from "../orchestrator/delegation-kind.ts";
import { startFollowUp } from "./follow/follow-up.ts";
import { isAnswerable } from "./inbox/blocked-work.ts";
import type { AppContext } from "./project/app-context.ts";
import { withSupervisor } from "./project/connect-supervisor.ts";
import { readStore } from "./project/open-project.ts";
import { findTarget } from "./project/find-target.ts";
import { findQuestion } from "./project/open-questions.ts";
import { defineUseCase } from "./use-case.ts";

const MAX_REASON = 4000;
const answers = ["approved", "rejected", "replied"] as const;

const input = () =>
  z.strictObject({
    id: z.string().describe("A question, or the work that has exactly one"),
    exact: z.boolean().optional().describe("Only the question with this very id"),
    answer: z.enum(answers),
    reason: z.string().optional().describe("For a reply: the answer in words"),
  });

const output = () =>
  z.looseObject({
    approval: z.string().describe("The question; the story itself where it ended blocked"),
    delegation: z.string(),
    story: z.string().describe("The story that continues"),
    kind: z.enum(approvalKinds),
    answer: z.enum(answers),
  });

/** Answers one open question. Everything is checked before a supervisor is started, so a wrong word changes nothing. */
export const answerUseCase = defineUseCase({
  input,
  output,
  onlyPeople: "never answers a question",
  runsProject: true,
  run: async (context, { id: word, exact: isExact = false, answer, reason = "" }) => {
    if (answer === "replied" && reason.trim() === "") throw workErrors.emptyAnswer();
    if (reason.length > MAX_REASON) throw workErrors.textTooLong("the text", reason.length, MAX_REASON);
    const blocked = answer === "replied" && !isExact ? await findBlocked(context, word) : undefined;
    if (blocked !== undefined) return continueBlocked(context, blocked, reason);
    const question = await readStore(context, (reader) =>
      findQuestion(reader, word, { inWords: answer === "replied", isExact }),
    );
    const { id: approval, story, kind } = question.approval;
    await withSupervisor(context, (client) =>
      client.call("answer", { approval, answer, reason, by: "person" }),
    );
    return { approval, delegation: question.delegation.id, story, kind, answer };
  },
});

/** A story that ended blocked has no open question, but its person can still give it what it needs. */
function findBlocked(context: AppContext, word: string): Promise<Delegation | undefined> {
  return readStore(context, async (reader) => {
    const target = await findTarget(reader, word).catch(() => undefined);
    const delegation = target === undefined ? undefined : await reader?.delegation(target.id);
    return isAnswerable(delegation) ? delegation : undefined;
  });
}

/** The answer goes with the story that continues the work. */
async function continueBlocked(context: AppContext, blocked: Delegation, note: string) {
  const { id } = blocked;
  const story = await startContinuation(context, blocked, note);
  const kind = "clarification" as const;
  return { approval: id, delegation: id, story: story ?? id, kind, answer: "replied" as const };
}

/** A command about a task is given again, with the answer as its words: only the command updates its task. */
async function startContinuation(
  context: AppContext,
  blocked: Delegation,
  note: string,
): Promise<string | null> {
  const { id } = blocked;
  const facts = readWorkflowFacts(blocked);
  if (facts === undefined || facts.task === null) {
    const { story } = await startFollowUp(context, { id, from: "work", changes: { note }, detach: true });
    return story;
  }
  const { isProjectTrusted = false } = context;
  const request = { command: facts.command, task: facts.task, words: note, isProjectTrusted };
  const opened = await withSupervisor(context, (client) => client.call("workflow", request));
  return z.object({ story: z.string() }).parse(opened).story;
}
