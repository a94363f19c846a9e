import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { Inbox as InboxAnswer, InboxEntry, UnservedEntry } from "../../../app/view-types.ts";
import { useKeys } from "../frame/keys.ts";
import { canNotify, isNotifying, switchNotifying } from "../live/notify.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { plural, formatAgo } from "../text/format.ts";
import { approve, reject, reply } from "../questions/answers.ts";
import { BlockedStories } from "../questions/blocked-stories.tsx";
import { EntryBody, EntryHead } from "../questions/entry-card.tsx";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { LongText, Outside } from "../parts/outside.tsx";

/** Machines come and go without a question: so often work that waits for one is looked at. */
const MACHINES_MS = 10_000;

/** All requests that wait for a person, oldest first. */
export function Inbox() {
  const { questions } = useStore(liveProject);
  const wanted = { url: "/api/inbox", fields: ["entries"], version: questions } as const;
  const { answer, problem, reload } = useAnswer<InboxAnswer>(wanted);
  useEffect(() => {
    const timer = window.setInterval(reload, MACHINES_MS);
    return () => window.clearInterval(timer);
  }, [reload]);
  const entries = answer?.entries ?? [];
  const blocked = answer?.blocked ?? [];
  const unserved = answer?.unserved ?? [];
  return (
    <div className="view">
      <div className="view-head">
        <h1>Inbox</h1>
        {entries.length === 0 ? null : (
          <p className="quiet">
            {plural(entries.length, "question")}{" "}
            <span className="key-hints">
              · <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>a</kbd> approve · <kbd>r</kbd> reject · <kbd>e</kbd>{" "}
              reply
            </span>
          </p>
        )}
      </div>
      <NotifySwitch />
      {problem === undefined ? null : <ProblemNote problem={problem} onRetry={reload} />}
      {answer === undefined && problem === undefined ? <Loading what="the inbox" /> : null}
      {answer !== undefined && entries.length + blocked.length + unserved.length === 0 ? (
        <Empty title="Nothing waits for you">
          Questions of workers, costs above the limit and criteria only you can judge show up here.
        </Empty>
      ) : null}
      <Entries entries={entries} />
      <BlockedStories stories={blocked} />
      <UnservedWork works={unserved} />
    </div>
  );
}

function NotifySwitch() {
  const isOn = useStore(isNotifying);
  if (!canNotify()) return null;
  return (
    <label>
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => void switchNotifying(event.target.checked)}
      />{" "}
      Notify me in this browser when something waits for me or a story ends
    </label>
  );
}

function Entries({ entries }: { readonly entries: readonly InboxEntry[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [index, setActive] = useActiveEntry(entries, list);
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

/** Keeps the place in the list when its entry is answered and leaves, also for the keyboard. */
function useActiveEntry(
  entries: readonly InboxEntry[],
  list: RefObject<HTMLUListElement | null>,
): [index: number, setActive: (id: string) => void] {
  const [active, setActive] = useState<string | null>(null);
  const place = useRef(0);
  const found = entries.findIndex(({ id }) => id === active);
  const index = found === -1 ? Math.max(0, Math.min(place.current, entries.length - 1)) : found;
  place.current = index;
  const hasLeft = active !== null && found === -1;
  useEffect(() => {
    // A browser gives the focus of a removed element to the body, where no arrow key reaches the list.
    if (hasLeft && document.activeElement === document.body) {
      list.current?.querySelectorAll<HTMLElement>(".entry")[index]?.focus();
    }
  }, [hasLeft, index, list]);
  return [index, setActive];
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
  return (
    <li
      className={`card entry${isActive ? " active" : ""}`}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onFocus(entry.id)}
    >
      <EntryHead entry={entry} />
      <EntryBody entry={entry} showKeys={isActive} />
    </li>
  );
}

/** Work that begins when a person starts the machine that it needs. */
function UnservedWork({ works }: { readonly works: readonly UnservedEntry[] }) {
  const now = useNow(false);
  if (works.length === 0) return null;
  return (
    <section className="stack" aria-label="Waits for a machine">
      <h2>
        Waits for a machine <span className="quiet">{works.length}</span>
      </h2>
      <ul className="cards">
        {works.map(({ id, run, label, title, text, toldAtMs }) => (
          <li key={id} className="card">
            <p className="card-head">
              <span className="tag tone-attention">
                <span aria-hidden="true">!</span> No machine
              </span>
              <Link to={storyPath(run)}>
                <Outside text={label === "" ? title : `${label} ${title}`} className="cut" />
              </Link>
              <span className="quiet numbers">{toldAtMs === null ? "" : formatAgo(toldAtMs, now)}</span>
            </p>
            <p className="asked">
              <LongText text={text} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
