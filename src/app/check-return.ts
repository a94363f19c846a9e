import * as z from "zod";
import { countThings } from "../base/count-things.ts";
import { returnCaps } from "../contract/read-return.ts";
import { checkTodos } from "../contract/todo-item.ts";
import { validateReturnBytes } from "../contract/validate-return.ts";
import { probeArtifacts } from "./check/probe-artifacts.ts";
import { defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields } from "./check/verdict.ts";
import { copyFields } from "./wire/copy-fields.ts";

/** How many bytes of a return are read. */
export const MAX_RETURN_BYTES = returnCaps.bytes;

const problem = () => z.looseObject({ code: z.string(), message: z.string() });

const output = () =>
  z.looseObject({
    valid: z.boolean(),
    status: z.string().optional().describe("Only of a valid return"),
    problems: z.array(problem()).optional(),
    warnings: z.array(problem()),
    ...verdictFields(),
  });

/** Does a worker's return follow the contract? */
export const checkReturnUseCase = defineUseCase({
  input: () =>
    z.strictObject({
      bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
      session: z.string().optional().describe("The session id it must carry"),
      root: z.string().optional().describe("The project in which its artifacts must exist"),
    }),
  output,
  isReadOnly: true,
  run: async (context, { bytes, session, root }) => {
    const probe = root === undefined ? undefined : probeArtifacts(root, context.directory);
    const verdict = validateReturnBytes(bytes, {
      ...(session === undefined ? {} : { session }),
      ...(probe === undefined ? {} : { probe }),
    });
    const warnings = verdict.warnings.map(copyFields);
    for (const { message } of warnings) context.warn(message);
    if (!verdict.valid) {
      const problems = verdict.problems.map(copyFields);
      return { valid: false, problems, warnings, ...describeVerdict("", verdict.problems) };
    }
    const { status } = verdict.value;
    return { valid: true, status, warnings, ...describeVerdict(`valid return: ${status}`, []) };
  },
});

/** Is a list of tasks well-formed? */
export const checkTodosUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: () =>
    z.looseObject({ valid: z.boolean(), problems: z.array(problem()).optional(), ...verdictFields() }),
  isReadOnly: true,
  run: async (_context, { text }) => {
    const { valid, problems, todos } = checkTodos(text);
    const passed = `valid list: ${countThings(todos.length, "task")}`;
    const details = valid ? {} : { problems: problems.map(copyFields) };
    return { valid, ...details, ...describeVerdict(passed, problems) };
  },
});
