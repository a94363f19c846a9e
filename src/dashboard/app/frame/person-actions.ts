import type { ActionResult, InboxEntry, TreeNode } from "../../../app/view-types.ts";
import { perform } from "../live/actions.ts";
import { askPerson } from "./overlay.ts";

type Done = Promise<ActionResult | undefined>;
const nothingDone: Done = Promise.resolve(undefined);

/** The actions a person can take, each with the question that comes before it. */
export function approve(entry: InboxEntry): Done {
  return perform({ kind: "approve", approval: entry.id });
}

export async function reject(entry: InboxEntry): Done {
  const reason = await askPerson({
    title: "Reject",
    text: `${formatName(entry)} asked: ${entry.question}`,
    confirm: "Reject",
    isDanger: true,
    field: { label: "Reason", isRequired: true, hint: "The worker receives it." },
  });
  return reason === null ? nothingDone : perform({ kind: "reject", approval: entry.id, reason });
}

export async function reply(entry: InboxEntry): Done {
  const text = await askPerson({
    title: "Reply",
    text: `${formatName(entry)} asked: ${entry.question}`,
    confirm: "Send reply",
    field: { label: "Your answer", isRequired: true },
  });
  return text === null ? nothingDone : perform({ kind: "reply", approval: entry.id, text });
}

export type Named = Pick<TreeNode, "id" | "label" | "title">;

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

export async function resume(node: Named): Done {
  const note = await askPerson({
    title: `Resume ${node.label}`.trim(),
    text: `A new story continues from the kept work of ${formatName(node)}.`,
    confirm: "Resume",
    field: { label: "Note for the worker (optional)", isRequired: false },
  });
  return note === null ? nothingDone : perform({ kind: "resume", id: node.id, note });
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

function formatName({ label, title }: { readonly label: string; readonly title: string }): string {
  return label === "" ? `“${title}”` : `${label} “${title}”`;
}
