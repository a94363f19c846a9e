/*
 * What server and browser say to each other: types alone, imported by both. Times are milliseconds since 1970, money is
 * whole micro-dollars, and every text has been made harmless (no control characters, no direction marks, cut with a
 * marker where it was too long), so that it can be shown as it is: as text, never as markup.
 */

export type { CostSource, Failure, Figures, NodeState, Problem, Project } from "./wire/common.ts";
export type {
  Run,
  RunList,
  RunNode,
  RunSummary,
  Timeline,
  TimelineRow,
  TimelineSegment,
} from "./wire/run.ts";
export type {
  Attempt,
  CriterionRow,
  DelegationDetail,
  Diff,
  DiffFile,
  HandBack,
  LimitUse,
  LogPage,
  LogStream,
  MessageRow,
  NodeCost,
  TodoRow,
} from "./wire/delegation.ts";
export type { Action, ActionKind, ActionResult, Inbox, InboxEntry } from "./wire/inbox.ts";
export type { Board, BoardColumn, TaskCard } from "./wire/board.ts";
export type { AgentCost, BurnPoint, CostShare, ModelCost, RunCost } from "./wire/cost.ts";
export type { AuditEvent, AuditPage, AuditRow, ChainCheck, StreamBatch, StreamEvent } from "./wire/audit.ts";
