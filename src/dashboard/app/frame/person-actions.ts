import type { ActionResult, TreeNode } from "../../../app/view-types.ts";
import { perform } from "../live/actions.ts";
import { askAmounts, askPerson } from "./overlay.ts";

type Done = Promise<ActionResult | undefined>;
const nothingDone: Done = Promise.resolve(undefined);

export type Named = Pick<TreeNode, "id" | "label" | "title">;

/** The actions a person can take, each with the question that comes before it. */
export async function stop(node: Named): Done {
  const reason = await askPerson({
    title: node.label === "" ? "Stop the story?" : `Stop ${node.label}?`,
    text: `${formatName(node)} and all its workers are stopped. Their work is kept and can be resumed.`,
    confirm: "Stop",
    isDanger: true,
    field: { label: "Reason (optional)", isRequired: false },
  });
  return reason === null ? nothingDone : perform({ kind: "stop", id: node.id, reason });
}

/** Continues ended work; a limit that stopped it can be raised. */
export async function resume(node: Named): Done {
  const given = await askAmounts({
    title: `Resume ${node.label}`.trim(),
    text: `A new story continues from the kept work of ${formatName(node)}, with the same limits unless you raise them.`,
    confirm: "Resume",
    field: { label: "Note for the worker (optional)", isRequired: false },
    amounts: [
      { name: "budgetUsd", label: "New budget in dollars (optional)" },
      { name: "minutes", label: "New time limit in minutes (optional)" },
    ],
  });
  if (given === null) return nothingDone;
  const { budgetUsd, minutes } = given.amounts;
  return perform({
    kind: "resume",
    id: node.id,
    note: given.text,
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
    ...(minutes === undefined ? {} : { timeoutSeconds: Math.max(1, Math.round(minutes * 60)) }),
  });
}

export async function retry(node: Named): Done {
  const note = await askPerson({
    title: `Retry ${node.label}`.trim(),
    text: `A new story does ${formatName(node)} again from the beginning. The first attempt is kept.`,
    confirm: "Retry",
    field: { label: "Note for the worker (optional)", isRequired: false },
  });
  return note === null ? nothingDone : perform({ kind: "retry", id: node.id, note });
}

export function formatName({ label, title }: { readonly label: string; readonly title: string }): string {
  return label === "" ? `“${title}”` : `${label} “${title}”`;
}
