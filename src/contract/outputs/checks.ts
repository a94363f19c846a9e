import { anything, count, flag, id, judgement, list, loose, optionalText, problem, text } from "./parts.ts";

const allowed = loose({ allowed: flag, ...judgement });
const warning = loose({ code: text, message: text });

/** The pure checks: exit 0 when it passes. */
export const checkOutputs = {
  "check depth": loose({ ...allowed.shape, child_depth: count }),
  "check path": loose({ ...allowed.shape, child_depth: count }),
  "check cycle": loose({ cycle: flag, ...judgement }),
  "check budget": allowed,
  "check count": allowed,
  "check description": loose({ safe: flag, ...judgement }),
  "check session": loose({ valid: flag, ...judgement }),
  "check range": loose({
    numbers: list(count).optional(),
    all: flag.optional(),
    rest: text,
    error: optionalText,
    ...judgement,
  }),
  "check marker": loose({ status: optionalText, ...judgement }),
  "check return": loose({ valid: flag, problems: list(problem), warnings: list(anything), ...judgement }),
  "check todos": loose({ valid: flag, problems: list(problem), ...judgement }),
  "directive parse": loose({
    delegations: list(
      loose({
        description: text,
        estimated_hours: count.or(anything),
        parent_story_id: id,
        child_story_id: id,
        depth: count,
      }),
    ),
    errors: list(loose({ code: text, fragment: text })),
    warnings: list(warning),
  }),
  "directive validate": loose({ valid: flag }),
  "directive count": loose({ count, invalid: count }),
} as const;
