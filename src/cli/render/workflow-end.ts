import type { WorkflowAnswer } from "../../app/workflow.ts";
import { visibleText } from "../../base/visible-text.ts";

/** The end of a workflow command: how the work ended, its documents, and where its commits are. */
export function renderWorkflowEnd(answer: WorkflowAnswer): string {
  const { outcome, code, summary = "", branch, artifacts = [] } = answer;
  const isDone = outcome === "completed";
  const [first = "", ...more] = summary.split("\n").map((line) => visibleText(line));
  const place = typeof branch === "string" ? [`  ${isDone ? "proven" : "kept  "}   branch ${branch}`] : [];
  return [
    `${outcome}${typeof code === "string" ? ` (${code})` : ""}  ${first}`,
    ...more.map((line) => `  ${line}`),
    ...artifacts.map(({ type, path }) => `  ${type.padEnd(8)} ${visibleText(path)}`),
    ...place,
    ...renderNext(answer, isDone),
  ].join("\n");
}

function renderNext({ story, command, worker }: WorkflowAnswer, isDone: boolean): readonly string[] {
  if (!isDone) return [`  look     ambit explain ${worker}    ambit diff ${worker}`];
  const hasChanges = command === "implement" || command === "meta";
  return hasChanges ? [`  next     ambit diff ${story}    ambit merge ${story}`] : [];
}
