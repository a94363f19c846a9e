/*
 * The documents that views answer with. The dashboard's server sends them to its page as JSON. Times are milliseconds
 * since 1970 and money is whole micro-dollars. The server sanitizes every text (no control characters, no direction
 * marks, cut with a marker where it was too long), so the page can show it as it is: as text, never as markup.
 */

export type {
  CostSource,
  Failure,
  Figures,
  ClusterHealth,
  Health,
  HealthFinding,
  NodeState,
  Problem,
  Project,
} from "./views/types/common.ts";
export type {
  StoryDocument,
  StoryList,
  TreeNode,
  MergePlan,
  StoryAdvice,
  StorySummary,
  StoryWork,
  Timeline,
  TimelineRow,
  TimelineSegment,
} from "./views/types/story.ts";
export type {
  Attempt,
  CriterionRow,
  DelegationDetail,
  Diff,
  DiffFile,
  HandBack,
  LimitUse,
  LogPage,
  LogPiece,
  LogStream,
  MessageRow,
  TodoRow,
} from "./views/types/delegation.ts";
export type { Action, StoryDraft } from "./views/action.ts";
export type { ActionResult, BlockedStory, Inbox, InboxEntry, UnservedEntry } from "./views/types/inbox.ts";
export type { Board, BoardColumn, TaskCard } from "./views/types/board.ts";
export type { CostShare, StoryCost } from "./views/types/cost.ts";
export type {
  AuditEvent,
  AuditPage,
  AuditRow,
  ChainCheck,
  StreamBatch,
  StreamEvent,
  WorkerOutput,
} from "./views/types/audit.ts";
