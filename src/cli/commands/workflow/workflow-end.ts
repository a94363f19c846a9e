import type { CommandOutcome } from "../../command-module.ts";
import { visibleText } from "../../../base/visible-text.ts";
import type { WorkflowEvidence } from "./evidence.ts";
import type { Opened } from "./opened.ts";

/** The end of a workflow command: how the work ended, where the task stands, what was written where. */
export function describeEnd(
  followed: CommandOutcome,
  opened: Opened,
  evidence: WorkflowEvidence | undefined,
): CommandOutcome {
  const { story, command, task, agent, reason, language, plan } = opened;
  const json = {
    ...followed.json,
    story,
    command,
    task,
    agent,
    reason,
    language,
    plan,
    timeout_seconds: opened.timeoutSeconds,
    task_status: evidence?.status ?? null,
    artifacts: evidence?.artifacts ?? [],
    commit: evidence?.commit ?? null,
    task_commit: evidence?.taskCommit ?? null,
    postflight: evidence?.postflight ?? null,
    ...(evidence === undefined ? {} : { branch: branchOf(followed, evidence, story) }),
  };
  const text =
    followed.text === "" || evidence === undefined ? followed.text : render(followed, opened, evidence);
  return { ...followed, json, text };
}

function branchOf(
  followed: CommandOutcome,
  { worker, commit }: WorkflowEvidence,
  story: string,
): string | null {
  if (commit !== null) return `ambit/${story}`;
  return Number(followed.json["files_changed"] ?? 0) > 0 ? `delegation/${worker}` : null;
}

function render(followed: CommandOutcome, { story, command }: Opened, evidence: WorkflowEvidence): string {
  const { outcome, code, summary } = followed.json;
  const branch = branchOf(followed, evidence, story);
  const isDone = outcome === "completed";
  const head = `${String(outcome)}${typeof code === "string" ? ` (${code})` : ""}`;
  const lines = String(summary).split("\n").map(visibleText);
  return [
    `${head}  ${lines[0] ?? ""}`,
    ...lines.slice(1).map((line) => `  ${line}`),
    ...evidence.artifacts.map(({ type, path }) => `  ${type.padEnd(8)} ${visibleText(path)}`),
    ...(branch === null ? [] : [`  ${(isDone ? "proven" : "kept").padEnd(8)} branch ${branch}`]),
    ...nextLine({ isDone, command, story, worker: evidence.worker }),
  ].join("\n");
}

interface Next {
  readonly isDone: boolean;
  readonly command: string;
  readonly story: string;
  readonly worker: string;
}

function nextLine({ isDone, command, story, worker }: Next): readonly string[] {
  if (!isDone) return [`  look     ambit explain ${worker}    ambit diff ${worker}`];
  return command === "implement" || command === "meta"
    ? [`  next     ambit diff ${story}    ambit merge ${story}`]
    : [];
}
