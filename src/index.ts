/** The library: the runtime, and the parts of it that are useful alone: configuration, limits, store. */
export { DelegationError } from "./base/delegation-error.ts";
export { loadConfig } from "./config/load-config.ts";
export { findProjectRoot } from "./project/find-project.ts";
export { runGuards, type GuardReport } from "./guards/run-guards.ts";
export {
  explainFailure,
  type Failed,
  type GuardFacts,
  type GuardRequest,
  type Verdict,
} from "./guards/verdict.ts";
export { openReader } from "./journal/open-reader.ts";
export { openStore } from "./journal/open-store.ts";
export type {
  Admission,
  Batch,
  BeginResult,
  Delegation,
  EventPage,
  HeartbeatResult,
  Lease,
  NewDelegation,
  NewStory,
  SettleResult,
  Settlement,
  SpendResult,
  Store,
  StoreReader,
  Story,
} from "./journal/store.ts";
export { storeFile } from "./journal/store-file.ts";
export { verifyJournal, type JournalVerdict } from "./journal/verify-journal.ts";
export {
  createRuntime,
  type EventQuestion,
  type NewStoryRequest,
  type Questions,
  type Runtime,
  type RuntimeOptions,
  type WorkflowInput,
} from "./runtime.ts";
export type { StoryRequest } from "./contract/story-request.ts";
