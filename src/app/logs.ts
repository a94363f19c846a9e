import * as z from "zod";
import { bringOutput } from "../orchestrator/bring-output.ts";
import { findTarget } from "./project/find-target.ts";
import type { LogSource } from "./logs/find-log-files.ts";
import { listDelegations, listLogFiles } from "./logs/log-question.ts";
import { keepNewestLines, readLog } from "./logs/read-log-lines.ts";
import { isInterrupted } from "./project/find-driver.ts";
import { readOpenQuestions } from "./project/open-questions.ts";
import { readStore } from "./project/open-project.ts";
import { defineUseCase } from "./use-case.ts";

export type { LogLine } from "./logs/read-log-lines.ts";

const input = () =>
  z.strictObject({
    id: z
      .string()
      .default("")
      .describe("An id, its beginning or a path such as 2.1; the newest story by default"),
    tail: z.int().min(0).optional().describe("Only the newest lines of each task"),
    what: z.enum(["lines", "files"]).default("lines"),
  });

const file = () =>
  z.looseObject({
    delegation: z.string(),
    attempt: z.int(),
    stream: z.enum(["stdout", "stderr"]),
    path: z.string(),
    bytes: z.int(),
  });

export const logLineSchema = () =>
  z.looseObject({ delegation: z.string(), attempt: z.int(), stream: z.string(), text: z.string() });

const target = () => ({ story: z.string().nullable(), id: z.string().nullable() });

const written = () =>
  z.looseObject({
    ...target(),
    files: z.array(file()),
    lines: z.array(logLineSchema()),
    left_out_bytes: z.int().describe("Older bytes that are only in the files"),
    interrupted: z
      .boolean()
      .optional()
      .describe("Whether open work is interrupted because no supervisor runs"),
  });

export type LogsAnswer = z.output<ReturnType<typeof written>>;

/** The output of agents: of a story with all its workers, or of one delegation. */
export const logsUseCase = defineUseCase({
  input,
  output: written,
  isReadOnly: true,
  run: (context, { id, tail, what }) =>
    readStore(context, async (reader, { root, stateDirectory }) => {
      const found = await findTarget(reader, id);
      if (reader === undefined || found === undefined)
        return { story: null, id: null, files: [], lines: [], left_out_bytes: 0 };
      const question = { target: found, reader, stateDirectory, tail };
      await bringOutput(
        { projectRoot: root, environment: context.environment },
        await listDelegations(question),
      );
      const files = await listLogFiles(question);
      const tree = await reader.storyTree(found.story.id);
      const interrupted = isInterrupted({ stateDirectory }, tree, await readOpenQuestions(reader));
      const place = { story: found.story.id, id: found.id, files: [...files], interrupted };
      return what === "files"
        ? { ...place, lines: [], left_out_bytes: 0 }
        : { ...place, ...readLines(files, tail) };
    }),
});

/** Of more than this only the newest part of each file is read; the rest stays in the files. */
const MAX_BYTES = 32 * 1024 * 1024;

function readLines(
  files: readonly LogSource[],
  tail: number | undefined,
): Pick<LogsAnswer, "left_out_bytes" | "lines"> {
  const share = Math.floor(MAX_BYTES / Math.max(1, files.length));
  const countSkipped = ({ bytes }: LogSource): number => Math.max(0, bytes - share);
  const lines = files.flatMap((one) => readLog(one, countSkipped(one)));
  return {
    lines: [...keepNewestLines(lines, tail)],
    left_out_bytes: files.reduce((sum, one) => sum + countSkipped(one), 0),
  };
}
