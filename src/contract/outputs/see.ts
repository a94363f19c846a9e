import * as z from "zod";
import {
  anything,
  count,
  criterion,
  flag,
  id,
  judgement,
  list,
  loose,
  milliseconds,
  optionalText,
  outcome,
  share,
  text,
  texts,
  todo,
  usd,
} from "./parts.ts";

const standing = loose({
  id,
  description: text,
  depth: count,
  status: text,
  state: text,
  code: optionalText,
  cost_usd: usd,
});

const status = loose({
  story: optionalText,
  status: text.optional(),
  needs_you: list(standing),
  working: list(standing),
  queued: list(standing),
  done: list(standing),
  other_open_stories: texts,
  todos: list(todo).optional(),
});

const treeNode = loose({
  id,
  title: text,
  depth: count,
  status: text,
  code: optionalText,
  agent: optionalText,
  attempt: count,
  cost_usd: usd,
  get children() {
    return z.array(treeNode);
  },
});

const costLine = loose({
  id,
  parent: optionalText,
  depth: count,
  description: text,
  status: text,
  tokens_in: count,
  tokens_out: count,
  cost_usd: usd,
  estimated: flag,
  total_cost_usd: usd,
});

const cost = loose({
  story: optionalText,
  delegations: list(costLine),
  direct: costLine.optional(),
  direct_cost_usd: usd,
  total_cost_usd: usd,
  delegated_cost_usd: usd.optional(),
  depth_distribution: list(loose({ depth: count, tasks: count, cost_usd: usd })).optional(),
});

const counts = { total_delegations: count, completed: count, failed: count, success_rate: share } as const;

const performance = z.union([
  loose({
    ...counts,
    running: count,
    median_duration_ms: milliseconds,
    p95_duration_ms: milliseconds,
    total_cost_usd: usd,
    parallel_efficiency: share,
    stage_times: list(
      loose({ stage: text, count, p50_ms: milliseconds, p95_ms: milliseconds, within_budget: share }),
    ),
  }),
  loose({ by: text, groups: list(loose({ group: text, ...counts })) }),
]);

const audit = z.union([
  loose({
    events: list(loose({ seq: count, at: text, type: text, story: id })),
    head: loose({ seq: count, hash: text }),
  }),
  loose({ valid: flag, events: count, head_hash: text, ...judgement }),
  loose({ exported: list(loose({ kind: text, path: text, entries: count })) }),
  loose({ rebuilt: flag, events: count }),
]);

const explain = z.union([
  loose({
    story: id,
    id,
    description: text,
    state: text,
    outcome,
    code: optionalText,
    why: texts,
    route: loose({ agent: optionalText, adapter: optionalText, model: optionalText, reasons: texts }),
    guards: loose({ passed: texts, warnings: texts }),
    spent: loose({
      cost_usd: usd,
      with_workers_usd: usd,
      tokens_in: count,
      tokens_out: count,
      attempts: list(
        loose({ attempt: count, duration_ms: milliseconds, cost_usd: usd, ended: optionalText }),
      ),
    }),
    limits: list(loose({ limit: text, used: optionalText, allowed: text, origin: text })),
    criteria: list(criterion),
    next: texts,
  }),
  loose({ code: text, means: text, exit_status: count, next: text }),
]);

/** With `-f` one such line per line, and how it ended at last. */
const logLine = loose({ delegation: id, attempt: count, stream: text, text });

const error = loose({ type: text, code: optionalText, message: text, recoverable: flag, at: text });

/** Commands that show what happens and what happened; none of them changes anything. */
export const seeOutputs = {
  status,
  tree: loose({ story: optionalText, tree: treeNode.nullable() }),
  cost,
  stats: loose({
    total_delegations: count,
    max_depth_seen: count,
    active_delegations: count,
    max_allowed_depth: count,
  }),
  performance,
  audit,
  logs: z.union([
    loose({
      story: id,
      id,
      files: list(loose({ delegation: id, attempt: count, stream: text, path: text, bytes: count })),
      lines: list(logLine),
      left_out_bytes: count,
    }),
    loose({ story: id, id, outcome }),
    logLine,
  ]),
  explain,
  errors: loose({ errors: list(error), groups: list(anything), count }),
  verify: loose({
    story: id,
    id,
    outcome,
    met: flag,
    criteria: list(criterion),
    workers: list(loose({ id, outcome, required: count, met: count })),
  }),
  merge: loose({
    story: optionalText,
    merged: flag.optional(),
    dry_run: flag.optional(),
    status: text.optional(),
  }),
} as const;
