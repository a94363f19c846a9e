import type { InboxEntry } from "../../../app/view-types.ts";
import { AgainActions } from "../frame/again-actions.tsx";
import { useStore } from "../live/store.ts";
import { approve, reject, reply } from "./answers.ts";
import { isAboutWork, reviews } from "./reviewed.ts";

interface EntryActionsProps {
  readonly entry: InboxEntry;
  readonly showKeys?: boolean;
}

/** Only what the runtime would accept now is offered. */
export function EntryActions({ entry, showKeys = false }: EntryActionsProps) {
  const { can } = entry;
  const isReady = useStore(reviews).has(entry.id) || !isAboutWork(entry);
  const node = { id: entry.delegation, label: entry.label, title: entry.title };
  const key = (name: string) => (showKeys ? <kbd>{name}</kbd> : null);
  return (
    <div className="actions">
      {can.includes("reply") ? (
        <button type="button" className="button main-action" onClick={() => void reply(entry)}>
          Reply {key("e")}
        </button>
      ) : null}
      {can.includes("approve") ? (
        <button
          type="button"
          className="button main-action"
          disabled={!isReady}
          onClick={() => void approve(entry)}
        >
          Approve {key("a")}
        </button>
      ) : null}
      {can.includes("reject") ? (
        <button type="button" className="button danger" onClick={() => void reject(entry)}>
          Reject {key("r")}
        </button>
      ) : null}
      <AgainActions can={can} node={node} />
    </div>
  );
}
