import * as z from "zod";
import { quoteExcerpt } from "../base/visible-text.ts";
import { isSessionId } from "../contract/identity.ts";
import { parseMarker, parseRange } from "../tasks/task.ts";
import { defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields } from "./check/verdict.ts";

/** Is a session id well-formed? */
export const checkSessionUseCase = defineUseCase({
  input: () => z.strictObject({ id: z.string() }),
  output: () => z.looseObject({ valid: z.boolean(), ...verdictFields() }),
  isReadOnly: true,
  run: async (_context, { id }) => {
    const valid = isSessionId(id);
    const failure = {
      code: "INVALID_SESSION_ID",
      message: `"${quoteExcerpt(id)}" is not a session id`,
      suggestion: "Session ids look like sess_1766779200_a1b2c3: seconds or a date, then 6 of 0-9a-z.",
    };
    return { valid, ...describeVerdict(`${id} is well-formed`, valid ? [] : [failure]) };
  },
});

const range = () =>
  z.looseObject({
    numbers: z.array(z.int()).optional(),
    all: z.boolean().optional(),
    rest: z.string(),
    error: z.string().nullable(),
    ...verdictFields(),
  });

/** Which task numbers does a text name? */
export const checkRangeUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: range,
  isReadOnly: true,
  run: async (_context, { text }) => {
    const found = parseRange(text);
    if ("error" in found) {
      const { error, message } = found;
      return { numbers: [], rest: "", error, ...describeVerdict("", [{ code: error, message }]) };
    }
    const named = "all" in found ? "all" : found.numbers.join(", ");
    const passed = found.rest === "" ? `tasks ${named}` : `tasks ${named}; rest: ${found.rest}`;
    const fields = "all" in found ? { all: found.all } : { numbers: [...found.numbers] };
    return { ...fields, rest: found.rest, error: null, ...describeVerdict(passed, []) };
  },
});

/** Which task status does a marker stand for? */
export const checkMarkerUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: () => z.looseObject({ status: z.string().nullable(), ...verdictFields() }),
  isReadOnly: true,
  run: async (_context, { text }) => {
    const status = parseMarker(text);
    const failure = {
      code: "UNKNOWN_MARKER",
      message: `"${quoteExcerpt(text)}" carries no known status marker`,
      suggestion: "Markers look like [NOT STARTED], [PLANNED] or [COMPLETED].",
    };
    return {
      status: status ?? null,
      ...describeVerdict(status ?? "", status === undefined ? [failure] : []),
    };
  },
});
