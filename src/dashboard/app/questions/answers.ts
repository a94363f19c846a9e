import type { ActionResult, BlockedStory, InboxEntry } from "../../../app/view-types.ts";
import { askPerson } from "../frame/overlay.ts";
import { formatName } from "../frame/person-actions.ts";
import { perform } from "../live/actions.ts";
import { isAboutWork, isReviewed, reviews } from "./reviewed.ts";

type Done = Promise<ActionResult | undefined>;
const nothingDone: Done = Promise.resolve(undefined);

/** Approves what was shown. Changes that could not be shown are approved only after a warning. */
export async function approve(entry: InboxEntry): Done {
  if (!isReviewed(entry)) return nothingDone;
  const isUnseen = isAboutWork(entry) && reviews.get().get(entry.id) !== true;
  const isMeant =
    !isUnseen ||
    (await askPerson({
      title: "Approve changes that were not shown?",
      text: `The changes of ${formatName(entry)} could not be loaded. ${entry.details.join(", ")}`,
      confirm: "Approve unseen",
      isDanger: true,
    })) !== null;
  return isMeant ? perform({ kind: "approve", approval: entry.id }) : nothingDone;
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

/** Gives a story that ended blocked what only a person knows. */
export async function unblock({ id, title, needs }: BlockedStory): Done {
  const text = await askPerson({
    title: "Answer",
    text: `“${title}” needs: ${needs.join(" ")}`,
    confirm: "Answer and continue",
    field: { label: "Your answer", isRequired: true },
  });
  return text === null ? nothingDone : perform({ kind: "unblock", id, text });
}
