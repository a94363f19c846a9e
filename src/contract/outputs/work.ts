import * as z from "zod";
import {
  answered,
  anything,
  count,
  ended,
  flag,
  id,
  list,
  loose,
  optionalText,
  outcome,
  text,
  texts,
  usd,
} from "./parts.ts";

const range = loose({ least: count, most: count });

/** What the delegation gate says before a story is divided. */
const prediction = loose({
  origin: z.enum(["template", "example", "directives", "nobody"]),
  workers: range,
  at_once: count,
  chain: count,
  sequential: flag,
  hours: loose({ work: z.number(), elapsed: z.number() }).nullable(),
  cost_usd: loose({ low: usd, high: usd, from: text, samples: count }).nullable(),
  undivided_usd: usd.nullable(),
  overlaps: list(loose({ one: text, other: text, at: text })),
  depth: loose({ advised: count, reason: text }),
  advice: z.enum(["split", "fewer", "alone", "open"]),
  reasons: texts,
});

const run = loose({
  ...ended,
  outcome: outcome.optional(),
  dry_run: flag.optional(),
  template: optionalText.optional(),
  prediction: prediction.optional(),
});

const after = loose({ ...ended, after: id });

const offered = loose({
  name: text,
  target: text,
  action: z.enum(["add", "replace", "same", "refuse"]),
  problem: optionalText,
  hides_built_in: flag,
  text,
});

const way = loose({
  template: optionalText,
  divided: flag,
  stories: count,
  ended: count,
  completed: count,
  success_rate: z.number().nullable(),
  avg_workers: z.number(),
  avg_cost_usd: usd.nullable(),
  median_duration_ms: z.number().nullable(),
  time_saved: z.number().nullable(),
  conflicts: count,
  enough_stories: flag,
});

const listedTemplate = loose({
  name: text,
  source: z.enum(["project", "built-in"]),
  file: optionalText,
  usable: flag,
  problem: optionalText,
  parts: count,
  handout: z.enum(["manager", "runtime"]).nullable(),
});

const message = loose({ message_id: id, from: id, to: id });

/** Commands that start, steer and answer work. */
export const workOutputs = {
  run,
  quick: loose(ended),
  attach: loose(ended),
  resume: after,
  retry: after,
  stop: loose({ id, stopped: flag, outcome }),
  approve: answered,
  reject: answered,
  reply: answered,
  inbox: loose({
    questions: list(loose({ id, story: id, delegation: id, kind: text, question: text, details: texts })),
    news: list(anything).optional(),
  }),
  delegate: loose({
    done: flag,
    advice: text,
    tasks: list(
      loose({
        admitted: flag,
        delegation_id: id.optional(),
        codes: texts.optional(),
        result: anything,
      }).partial({
        result: true,
      }),
    ),
  }),
  ask: loose({ answer: optionalText, advice: text }),
  "message send": loose({ message_id: id, to: id, advice: text }),
  "message list": loose({ story: optionalText, messages: list(message) }),
  "message read": loose({ messages: list(anything) }),
  "template list": loose({ templates: list(listedTemplate) }),
  "template show": loose({
    name: text,
    source: z.enum(["project", "built-in"]),
    file: optionalText,
    handout: z.enum(["manager", "runtime"]),
    directives: texts,
    template: loose({ title: text, summary: text, parts: list(anything), guidance: text }),
  }),
  "template add": loose({ source: text, commit: optionalText, written: texts, templates: list(offered) }),
  "template compare": loose({ stories: count, ways: list(way) }),
  demo: loose({
    ok: flag,
    story: id,
    outcome,
    promises: list(loose({ promise: text, evidence: text })),
    simulated: flag,
  }),
} as const;
