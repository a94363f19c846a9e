/** Raise when a projection changes: the tables are dropped and rebuilt from events at the next open. */
export const projectionVersion = 8;

/** The events, and leases, which are not worth an event. */
const eventTables = `
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
  seq INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  story TEXT NOT NULL,
  delegation TEXT,
  body TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_delegation ON events (delegation, seq);
CREATE INDEX IF NOT EXISTS events_by_story ON events (story, seq);
CREATE TABLE IF NOT EXISTS leases (
  delegation TEXT PRIMARY KEY,
  attempt INTEGER NOT NULL,
  owner TEXT NOT NULL,
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Step n brings a store from version n to n + 1. Never edit a released step; add one. */
export const migrations: readonly string[] = [eventTables];

/** Stores above this were written by a newer ambit and are refused. */
export const storeVersion: number = migrations.length;

export const projectionNames = [
  "stories",
  "delegations",
  "refusals",
  "messages",
  "todos",
  "tasks",
  "task_changes",
  "approvals",
] as const;

/** Derived from events alone: dropping and replaying gives the same rows. */
export const projectionTables = `
CREATE TABLE stories (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  limits TEXT NOT NULL,
  settings TEXT,
  max_concurrent INTEGER NOT NULL,
  delegations INTEGER NOT NULL,
  opened_at TEXT NOT NULL
) STRICT;
CREATE INDEX stories_by_seq ON stories (seq);
CREATE TABLE delegations (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  story TEXT NOT NULL,
  parent TEXT,
  parent_attempt INTEGER NOT NULL DEFAULT 0,
  depth INTEGER NOT NULL,
  description TEXT NOT NULL,
  agent TEXT,
  target TEXT,
  todo TEXT,
  path TEXT NOT NULL,
  session_id TEXT NOT NULL,
  execution_id TEXT NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT,
  code TEXT,
  summary TEXT NOT NULL DEFAULT '',
  attempt INTEGER NOT NULL DEFAULT 0,
  priority INTEGER NOT NULL,
  estimated_hours REAL,
  timeout_seconds INTEGER NOT NULL,
  scope TEXT NOT NULL,
  criteria TEXT NOT NULL,
  context_tokens INTEGER NOT NULL,
  next_number INTEGER NOT NULL DEFAULT 1,
  workers INTEGER NOT NULL DEFAULT 0,
  open_workers INTEGER NOT NULL DEFAULT 0,
  budget_tokens INTEGER,
  lent_tokens INTEGER NOT NULL DEFAULT 0,
  spent_tokens INTEGER NOT NULL DEFAULT 0,
  budget_micro INTEGER,
  lent_micro INTEGER NOT NULL DEFAULT 0,
  spent_micro INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  cached_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  direct_micro INTEGER NOT NULL DEFAULT 0,
  estimated INTEGER NOT NULL DEFAULT 0,
  attempt_estimated INTEGER NOT NULL DEFAULT 0,
  process_ended INTEGER NOT NULL DEFAULT 0,
  unpriced_tokens INTEGER NOT NULL DEFAULT 0,
  attempt_unpriced INTEGER NOT NULL DEFAULT 0,
  compared_reported INTEGER,
  compared_estimated INTEGER,
  session_input INTEGER NOT NULL DEFAULT 0,
  session_cached INTEGER NOT NULL DEFAULT 0,
  session_output INTEGER NOT NULL DEFAULT 0,
  session_micro INTEGER NOT NULL DEFAULT 0,
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  files_changed TEXT NOT NULL DEFAULT '[]',
  work TEXT,
  turn TEXT NOT NULL DEFAULT 'begin',
  turn_note TEXT NOT NULL DEFAULT '',
  turns TEXT NOT NULL DEFAULT '{}',
  not_before_ms INTEGER NOT NULL DEFAULT 0,
  held_by TEXT,
  waiting_for TEXT NOT NULL DEFAULT '[]',
  agent_session TEXT,
  workspace TEXT,
  base TEXT,
  tip TEXT,
  return_status TEXT,
  return_errors TEXT NOT NULL DEFAULT '[]',
  next_steps TEXT NOT NULL DEFAULT '',
  candidate TEXT,
  merge_onto TEXT,
  checked_on TEXT,
  waived TEXT NOT NULL DEFAULT '[]',
  proof TEXT,
  workspace_ms REAL,
  admitted_at TEXT NOT NULL,
  started_at TEXT,
  closed_at TEXT,
  started_ms INTEGER,
  closed_ms INTEGER,
  duration_ms INTEGER
) STRICT;
CREATE INDEX delegations_by_story ON delegations (story, seq);
CREATE INDEX delegations_open ON delegations (seq, story) WHERE state <> 'closed';
CREATE INDEX delegations_running ON delegations (story, depth, process_ended) WHERE state = 'running';
CREATE INDEX delegations_with_workspace ON delegations (seq) WHERE workspace IS NOT NULL;
CREATE INDEX delegations_by_duration ON delegations (duration_ms, depth) WHERE duration_ms IS NOT NULL;
CREATE INDEX delegations_by_todo ON delegations (parent, todo, seq) WHERE todo IS NOT NULL;
CREATE INDEX delegations_by_session ON delegations (session_id);
CREATE INDEX delegations_by_depth ON delegations (depth, outcome);
CREATE TABLE refusals (
  seq INTEGER PRIMARY KEY,
  story TEXT NOT NULL,
  parent TEXT NOT NULL,
  description TEXT NOT NULL,
  codes TEXT NOT NULL,
  at TEXT NOT NULL
) STRICT;
CREATE INDEX refusals_by_story ON refusals (story, seq);
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  story TEXT NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  told_in INTEGER NOT NULL DEFAULT 0,
  sent_at TEXT NOT NULL
) STRICT;
CREATE INDEX messages_by_recipient ON messages (recipient, seq);
CREATE INDEX messages_by_sender ON messages (sender, seq);
CREATE INDEX messages_by_story ON messages (story, seq);
CREATE TABLE todos (
  manager TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  story TEXT NOT NULL,
  item TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  PRIMARY KEY (manager, id)
) STRICT;
CREATE INDEX todos_by_story ON todos (story);
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL,
  story TEXT NOT NULL,
  delegation TEXT NOT NULL,
  kind TEXT NOT NULL,
  question TEXT NOT NULL,
  details TEXT NOT NULL,
  answer TEXT,
  answered_by TEXT,
  reason TEXT NOT NULL DEFAULT '',
  asked_at TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_open ON approvals (seq) WHERE answer IS NULL;
CREATE INDEX approvals_by_delegation ON approvals (delegation, seq);
CREATE TABLE tasks (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, fields TEXT NOT NULL) STRICT;
CREATE TABLE task_changes (change TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT;
`;
