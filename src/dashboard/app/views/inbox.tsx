import { useRef, useState, type KeyboardEvent } from "react";
import type { Inbox as InboxAnswer, InboxEntry } from "../../../app/view-types.ts";
import { approve, reject, reply } from "../frame/person-actions.ts";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { useKeys } from "../frame/keys.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatAgo, plural } from "../text/format.ts";
import { EntryActions, kindWords } from "./inbox-entry.tsx";

/** All requests that wait for a person, oldest first. */
export function Inbox() {
  const { questions } = useStore(liveProject);
  const wanted = { url: "/api/inbox", fields: ["entries"], version: questions } as const;
  const { answer, problem, reload } = useAnswer<InboxAnswer>(wanted);
  const entries = answer?.entries ?? [];
  return (
    <div className="view">
      <div className="view-head">
        <h1>Inbox</h1>
        {entries.length === 0 ? null : (
          <p className="quiet">
            {plural(entries.length, "question")} · <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>a</kbd> approve ·{" "}
            <kbd>r</kbd> reject · <kbd>e</kbd> reply
          </p>
        )}
      </div>
      {problem === undefined ? null : <ProblemNote problem={problem} onRetry={reload} />}
      {answer === undefined && problem === undefined ? <Loading what="the inbox" /> : null}
      {answer !== undefined && entries.length === 0 ? (
        <Empty title="Nothing waits for you">
          Questions of workers, costs above the limit and criteria only you can judge show up here.
        </Empty>
      ) : null}
      <Entries entries={entries} />
    </div>
  );
}

function Entries({ entries }: { readonly entries: readonly InboxEntry[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const index = Math.max(
    0,
    entries.findIndex(({ id }) => id === active),
  );
  const entry = entries[index];
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, j: index + 1, k: index - 1 }[event.key];
    const next = target === undefined ? undefined : entries[target];
    if (next === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setActive(next.id);
    list.current?.querySelectorAll<HTMLElement>(".entry")[target ?? 0]?.focus();
  };
  useKeys({
    a: () => when(entry, "approve", approve),
    r: () => when(entry, "reject", reject),
    e: () => when(entry, "reply", reply),
  });
  return (
    <ul ref={list} className="cards" aria-label="Questions" onKeyDown={onKeyDown}>
      {entries.map((one, at) => (
        <Entry key={one.id} entry={one} isActive={at === index} onFocus={setActive} />
      ))}
    </ul>
  );
}

/** A key does nothing if the runtime would not accept its action now. */
function when(
  entry: InboxEntry | undefined,
  kind: InboxEntry["can"][number],
  action: (entry: InboxEntry) => Promise<unknown>,
): void {
  if (entry?.can.includes(kind) === true) void action(entry);
}

interface EntryProps {
  readonly entry: InboxEntry;
  readonly isActive: boolean;
  readonly onFocus: (id: string) => void;
}

function Entry({ entry, isActive, onFocus }: EntryProps) {
  const now = useNow(true);
  const { askedAtMs } = entry;
  return (
    <li
      className={`card entry${isActive ? " active" : ""}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(entry.id)}
    >
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
      <EntryActions entry={entry} showKeys={isActive} />
    </li>
  );
}
