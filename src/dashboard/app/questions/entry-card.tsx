import { useCallback } from "react";
import type { InboxEntry } from "../../../app/view-types.ts";
import { WorkDiff } from "../diff/work-diff.tsx";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatAgo, formatDuration, formatMoment } from "../text/format.ts";
import { EntryActions } from "./entry-actions.tsx";
import { isAboutWork, noteReview } from "./reviewed.ts";

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
      <span className="quiet cut">
        in <Outside text={entry.runTitle} />
      </span>
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
