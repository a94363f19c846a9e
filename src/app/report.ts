import * as z from "zod";
import { systemClock } from "../base/clock.ts";
import { verifyChain } from "../journal/verify-journal.ts";
import type { StoreReader, Story } from "../journal/store.ts";
import { diffUseCase } from "./diff.ts";
import type { AppContext } from "./project/app-context.ts";
import { findTarget } from "./project/find-target.ts";
import { findProject, readStore } from "./project/open-project.ts";
import { readOpenQuestions } from "./project/open-questions.ts";
import { renderReportPage, type StoryReport } from "./report/render-page.ts";
import { defineUseCase } from "./use-case.ts";
import { readCriteriaRows } from "./verify/read-criteria-rows.ts";
import { LiveStory } from "./views/live-story.ts";
import { buildStoryCost } from "./views/story-cost.ts";
import { buildStoryDocument, buildTimeline } from "./views/story-document.ts";
import { summarizeStory } from "./views/story-summary.ts";

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    title: z.string().optional(),
    head_hash: z.string().optional().describe("The journal's newest hash when the report was made"),
    html: z.string().describe("The whole page"),
  });

/** One story as a page that can be sent to somebody without access to the project. */
export const reportUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      story: z.string().default("").describe("An id or its beginning; the newest by default"),
    }),
  output,
  isReadOnly: true,
  run: (context, { story: word }) =>
    readStore(context, async (reader) => {
      const target = await findTarget(reader, word);
      if (reader === undefined || target === undefined) return { story: null, html: "" };
      const report = await readReport(context, reader, target.story);
      const { id, title } = target.story;
      return { story: id, title, head_hash: report.chain.hash, html: renderReportPage(report) };
    }),
});

/** Of more workers the criteria are left out; the tree and the timeline have them all. */
const MAX_WORKERS = 300;

async function readReport(context: AppContext, reader: StoreReader, story: Story): Promise<StoryReport> {
  const nowMs = systemClock.wallMs();
  const view = await new LiveStory(story.id).catchUp(reader);
  const delegations = await reader.storyTree(story.id);
  const root = delegations.find(({ depth }) => depth === 0);
  const open = await readOpenQuestions(reader);
  const questions = open.filter(({ delegation }) => delegation.story === story.id);
  const approvals = questions.map(({ approval }) => approval);
  const criteria = await Promise.all(
    delegations.slice(0, MAX_WORKERS).map(async (delegation) => ({
      id: delegation.id,
      rows: await readCriteriaRows(reader, delegation),
    })),
  );
  const { headHash, events, firstBad } = verifyChain(findProject(context).storeFile);
  return {
    version: context.version,
    document: buildStoryDocument(
      view,
      summarizeStory({ story, root, delegations, use: await reader.storyUse(story.id), approvals }),
      nowMs,
    ),
    timeline: buildTimeline(view, nowMs),
    cost: buildStoryCost(view, { story, delegations }, nowMs),
    criteria,
    problems: delegations.filter(({ errors, nextSteps }) => errors.length > 0 || nextSteps !== ""),
    questions: questions.map(({ delegation, approval }) => `${delegation.id}: ${approval.question}`),
    diff: await readChanges(context, story.id),
    chain: { seq: events, hash: headHash, isSound: firstBad === undefined },
  };
}

const MAX_PATCH_BYTES = 1024 * 1024;

async function readChanges(context: AppContext, id: string): Promise<StoryReport["diff"]> {
  const quiet = { ...context, warn: () => undefined };
  try {
    return await diffUseCase.run(quiet, { id, kind: "patch", against: "base", maxBytes: MAX_PATCH_BYTES });
  } catch {
    // The story changed nothing yet, or its branch is gone.
    return null;
  }
}
