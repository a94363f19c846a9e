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
  text,
  texts,
  usd,
} from "./parts.ts";

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
