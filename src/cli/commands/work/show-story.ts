import * as z from "zod";
import { DelegationError } from "../../../base/delegation-error.ts";
import { exitCodeFor } from "../../../contract/error-code.ts";
import { exitCode, type ExitCode } from "../../../contract/exit-code.ts";
import type { CommandContext, CommandOutcome } from "../../command-module.ts";
import { visibleText } from "../../render/visible-text.ts";

const noticeSchema = z.looseObject({
  stage: z.string().optional(),
  detail: z.string().optional(),
  text: z.string().optional(),
});
export const endSchema = z.object({
  story: z.string(),
  outcome: z.string().optional(),
  code: z.string().nullable().optional(),
  summary: z.string().optional(),
  filesChanged: z.int().optional(),
  error: z
    .object({ code: z.string(), message: z.string(), recommendation: z.string(), recoverable: z.boolean() })
    .optional(),
});
export type Ending = z.infer<typeof endSchema>;

/** One line of progress. */
export function showNotice(context: CommandContext, notice: string, data: unknown): void {
  const { stage, detail, text } = noticeSchema.parse(data);
  if (notice === "stage") context.progress(`[${stage ?? ""}] ${detail ?? ""}`);
  if (notice === "output") context.progress(`  ${text ?? ""}`);
}

/** How a story ended, with the exit status it leads to. */
export function describeEnding(ending: Ending, signalled: ExitCode | undefined): CommandOutcome {
  if (ending.error !== undefined) throw new DelegationError(ending.error);
  const { story, outcome = "failed", code = null, summary = "", filesChanged = 0 } = ending;
  const branch = filesChanged === 0 ? null : `delegation/${story}`;
  const kept = branch === null ? "" : `\n  kept  branch ${branch}\n  next  git diff HEAD...${branch}`;
  return {
    exitCode: signalled ?? exitCodeOf(outcome, code),
    json: { story, outcome, code, summary, files_changed: filesChanged, branch },
    text: `${outcome}${code === null ? "" : ` (${code})`}  ${visibleText(summary)}${kept}`,
  };
}

const exitCodes: Readonly<Record<string, ExitCode>> = {
  completed: exitCode.completed,
  partial: exitCode.partial,
  blocked: exitCode.blocked,
  timed_out: exitCode.deadline,
  cancelled: exitCode.partial,
};

function exitCodeOf(outcome: string, code: string | null): ExitCode {
  const byLimit = code === null ? undefined : exitCodeFor(code);
  if (byLimit === exitCode.limit || byLimit === exitCode.deadline) return byLimit;
  return exitCodes[outcome] ?? exitCode.failed;
}
