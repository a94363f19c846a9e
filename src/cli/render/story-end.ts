import { visibleText } from "../../base/visible-text.ts";
import { exitCodeFor } from "../../contract/error-code.ts";
import { exitCode, type ExitCode } from "../../contract/exit-code.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import { nothingYet } from "./nothing-yet.ts";
import { renderNotices } from "./notices.ts";
import { renderProof } from "./proof-lines.ts";

/** The answer of a use case that follows a story. */
export interface StoryEnd {
  readonly story?: string | null | undefined;
  /** Null while the story keeps working. */
  readonly outcome?: string | null | undefined;
  readonly code?: string | null | undefined;
  readonly summary?: string | undefined;
  readonly files_changed?: number | undefined;
  readonly merged?: boolean | undefined;
  readonly proof?: string | null | undefined;
  readonly errors?: readonly ToldError[] | undefined;
  readonly next_steps?: string | undefined;
  readonly noticed?: Parameters<typeof renderNotices>[0] | undefined;
}

interface ToldError {
  readonly code: string;
  readonly message: string;
  readonly recommendation: string;
}

/** How a story ended, where its work is, and what to do next. */
export function renderStoryEnd(end: StoryEnd): string {
  const { story, outcome, code, summary, files_changed, merged, proof } = end;
  if (story === null || story === undefined) return nothingYet;
  if (outcome === null || outcome === undefined)
    return `${summary ?? `${story} is running.`}\n  watch  ambit attach ${story}\n  stop   ambit stop ${story}`;
  if (code === "ANSWER_NEEDED")
    return `${nameOutcome(outcome)} (${code})  ${visibleText(summary ?? "")}\n  next     ambit inbox    then  ambit attach ${story}`;
  const isCompleted = outcome === "completed";
  const hasChanges = merged === true && proof !== "nothing";
  const unproven = isCompleted || (files_changed ?? 0) === 0 ? [] : [`  kept     branch delegation/${story}`];
  return [
    `${nameOutcome(outcome)}${typeof code === "string" ? ` (${code})` : ""}  ${visibleText(summary ?? "")}`,
    ...renderAdvice(end),
    ...renderNotices(end.noticed),
    ...(merged === true ? renderBranch(end) : []),
    ...unproven,
    ...(isCompleted && hasChanges ? [`  next     ambit diff ${story}    ambit merge ${story}`] : []),
    ...(isCompleted && !hasChanges ? [`  next     ambit explain ${story}`] : []),
    ...(isCompleted ? [] : [`  next     ambit explain ${story}    ambit resume ${story}`]),
    ...(unproven.length === 0 ? [] : [`  look     ambit diff ${story}`]),
  ].join("\n");
}

/** In the words of the agent that returned it. */
function renderAdvice({ errors = [], next_steps: nextSteps = "" }: StoryEnd): readonly string[] {
  return [
    ...errors.flatMap(({ code, message, recommendation }) => [
      `  error    ${visibleText(`${code}: ${message}`)}`,
      ...(recommendation === "" ? [] : [`  advice   ${visibleText(recommendation)}`]),
    ]),
    ...(nextSteps === "" ? [] : [`  then     ${visibleText(nextSteps)}`]),
  ];
}

/** A story that did not complete may have a branch: that of what its workers did. */
function renderBranch({ story, proof, outcome }: StoryEnd): readonly string[] {
  if (outcome === "completed")
    return renderProof(`ambit/${story}`, proof, "add one with --check '<command>'");
  return [
    `  parts    branch ambit/${story}`,
    "  why      its workers' work is merged there, the story itself is not",
  ];
}

const outcomeExitCodes: Readonly<Record<string, ExitCode>> = {
  completed: exitCode.completed,
  partial: exitCode.partial,
  blocked: exitCode.blocked,
  timed_out: exitCode.deadline,
  cancelled: exitCode.partial,
};

const tellingExitCodes: ReadonlySet<ExitCode> = new Set([
  exitCode.limit,
  exitCode.deadline,
  exitCode.conflict,
  exitCode.environment,
]);

/** A story that was only started is a success; one whose supervisor went away is a failure. */
export function storyExitCode({ outcome, code, summary }: StoryEnd): ExitCode {
  if (outcome === "completed") return exitCode.completed;
  if (outcome === null || outcome === undefined)
    return summary === undefined ? exitCode.completed : exitCode.failed;
  const byCode = typeof code === "string" ? exitCodeFor(code) : undefined;
  return byCode !== undefined && tellingExitCodes.has(byCode)
    ? byCode
    : (outcomeExitCodes[outcome] ?? exitCode.failed);
}
