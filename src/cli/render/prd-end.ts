import type { StoryRow } from "../../app/run-prd.ts";
import { summarizePrediction } from "../../app/run-prd.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { WorkProof } from "../../contract/work-proof.ts";
import { renderProof } from "./proof-lines.ts";

interface PrdEnd {
  readonly branch?: string | null | undefined;
  readonly branch_proof?: WorkProof | null | undefined;
  readonly merge?: string | null | undefined;
  readonly stories: readonly StoryRow[];
}

/** Every story of a file with how it ended, or what is predicted, and the one merge that brings all of it. */
export function renderPrdEnd({ branch, branch_proof, merge, stories }: PrdEnd): string {
  return [
    ...stories.map(renderRow),
    ...(typeof branch === "string" ? renderProof(branch, branch_proof, "add criteria to the file") : []),
    ...(typeof merge === "string" ? [`  next     ambit diff ${merge}    ambit merge ${merge}`] : []),
  ].join("\n");
}

function renderRow({ id, outcome, because, starts_from, prediction, error, proof }: StoryRow): string {
  const details = [
    ...(outcome === "completed" && proof === "unchecked" ? ["not proven: no check"] : []),
    ...(because === undefined ? [] : [visibleText(because)]),
    ...(typeof error === "string" && error !== outcome ? [error] : []),
    ...(typeof starts_from === "string" ? [`from the work of ${starts_from}`] : []),
    ...(prediction === undefined ? [] : [summarizePrediction(prediction)]),
  ];
  return `${outcome.padEnd(10)} ${id}${details.length === 0 ? "" : `  ${details.join("; ")}`}`;
}
