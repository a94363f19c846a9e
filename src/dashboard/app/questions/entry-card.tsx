import { useCallback } from "react";
import type { InboxEntry } from "../../../app/view-types.ts";
import { WorkDiff } from "../diff/work-diff.tsx";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatAgo, formatDuration, formatMoment } from "../text/format.ts";
import { AgainActions } from "../frame/again-actions.tsx";
import { useStore } from "../live/store.ts";
import { isAboutWork, noteReview, reviews } from "./reviewed.ts";
import { approve, reject, reply } from "./answers.ts";

const kindWords: Readonly<Record<InboxEntry["kind"], string>> = {
  cost: "Cost",
  criterion: "Criterion",
  scope: "Paths outside its scope",
  "sensitive-paths": "Sensitive paths",
  clarification: "Question",
};

interface EntryProps {
  readonly entry: InboxEntry;
  readonly showKeys?: boolean;
}

/** Shows who asks, in which story, and since when. */
export function EntryHead({ entry }: EntryProps) {
  const now = useNow(true);
  const { askedAtMs } = entry;
  return (
    <p className="card-head">
      <span className="tag tone-attention">
        <span aria-hidden="true">?</span> {kindWords[entry.kind]}
      </span>
      <Link to={`${storyPath(entry.run)}?d=${encodeURIComponent(entry.delegation)}`}>
        <Outside text={`${entry.label} ${entry.title}`.trim()} className="cut" />
      </Link>
      <Outside text={entry.agent} className="quiet" />
      <span className="quiet numbers">{askedAtMs === null ? "" : formatAgo(askedAtMs, now)}</span>
      {entry.delegation === entry.run ? null : (
        <span className="quiet cut">
          in <Outside text={entry.runTitle} />
        </span>
      )}
    </p>
  );
}

/** The question with all that is needed to answer it, and the answers. Nothing is approved that was not shown. */
export function EntryBody({ entry, showKeys = false }: EntryProps) {
  const { id } = entry;
  const onShown = useCallback((isShown: boolean) => noteReview(id, isShown), [id]);
  return (
    <>
      <p className="asked">
        <LongText text={entry.question} />
      </p>
      {entry.details.length === 0 ? null : (
        <ul className="details">
          {entry.details.map((detail, at) => (
            <li key={at}>
              <LongText text={detail} />
            </li>
          ))}
        </ul>
      )}
      <Waiting entry={entry} />
      {isAboutWork(entry) ? (
        <div className="review">
          <WorkDiff
            id={entry.delegation}
            version={id}
            worker={null}
            first={entry.details}
            onShown={onShown}
          />
        </div>
      ) : null}
      <EntryActions entry={entry} showKeys={showKeys} />
    </>
  );
}

const MAX_NAMED = 3;

/** When the worker continues without an answer, and which workers wait for it. */
function Waiting({ entry: { expiresAtMs, blocks } }: EntryProps) {
  const now = useNow(expiresAtMs !== null);
  const named = blocks.slice(0, MAX_NAMED).map(({ label, title }) => `${label} ${title}`.trim());
  const rest = blocks.length - named.length;
  return (
    <ul className="figures quiet numbers">
      {expiresAtMs === null ? null : (
        <li title={formatMoment(expiresAtMs)}>
          {expiresAtMs > now
            ? `without an answer it ends in ${formatDuration(expiresAtMs - now)}`
            : "its time for an answer is over"}
        </li>
      )}
      {blocks.length === 0 ? null : (
        <li>
          blocks <Outside text={named.join(", ")} />
          {rest > 0 ? ` and ${rest} more` : ""}
        </li>
      )}
    </ul>
  );
}

interface EntryActionsProps {
  readonly entry: InboxEntry;
  readonly showKeys?: boolean;
}

/** Only what the runtime would accept now is offered. */
function EntryActions({ entry, showKeys = false }: EntryActionsProps) {
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
