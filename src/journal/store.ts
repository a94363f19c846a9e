/** The store as other folders see it: what it keeps, what it answers, and the interface that each engine implements. */
export type { Candidate } from "./model/candidate.ts";
export { guardedEventTypes } from "./model/store.ts";
export type {
  Admission,
  Approval,
  AttemptName,
  Batch,
  BeginResult,
  Delegation,
  EventFilter,
  EventPage,
  HeartbeatResult,
  Lease,
  NamedDelegation,
  NewDelegation,
  NewStory,
  OutlinedDelegation,
  ProvenDelegation,
  RecordableEvent,
  SettleResult,
  Settlement,
  SpendResult,
  StopWish,
  Store,
  StoreReader,
  StoredEvent,
  Story,
} from "./model/store.ts";
export type { Message, StoredTodo } from "./model/store-mail.ts";
export type { CompletedSums, StoreTotals, StoryUse } from "./model/store-totals.ts";
