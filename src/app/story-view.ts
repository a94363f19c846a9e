/**
 * A story as a surface shows it while it happens. The surface puts each event that it receives into the view and draws
 * the view; the functions answer questions that the fields alone do not.
 */
export {
  emptyView,
  findRootNode,
  lessSure,
  listWorkerNodes,
  nameOf,
  seeEvent,
  seeOutput,
  shownState,
  stateWord,
  type Approval,
  type Refusal,
  type SeenEvent,
  type ShownState,
  type StoryNode,
  type StoryView,
} from "../reports/story-view.ts";
export { buildViewDocument } from "../reports/story-document.ts";
export { weakWords } from "../reports/proof-words.ts";
export {
  measureElapsedMs,
  measureSilenceMs,
  MIN_SILENT_MS,
  sumStoryTotals,
  type StoryTotals,
} from "../reports/story-totals.ts";
