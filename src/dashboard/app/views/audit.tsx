import { useState } from "react";
import type { AuditEvent, ChainCheck } from "../../../app/view-types.ts";
import { useQueryValue } from "../frame/route.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { LongText } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import { formatCount } from "../text/format.ts";
import { eventTypes } from "../text/event-types.ts";
import type { AuditFilter } from "./audit-filter.ts";
import { AuditList } from "./audit-list.tsx";

/** The journal: every event, and whether its hash chain is intact. */
export function Audit() {
  const [filter, setFilter] = useAuditFilter();
  const [shown, setShown] = useQueryValue("event");
  const open = shown === "" ? null : Number(shown);
  const setOpen = (seq: number | null): void => setShown(seq === null ? "" : String(seq));
  const query = new URLSearchParams({ run: filter.run, type: filter.type }).toString();
  return (
    <div className="view fixed">
      <div className="view-head">
        <h1>Audit</h1>
        <ChainBadge />
      </div>
      <div className="toolbar">
        <FilterFields filter={filter} onChange={setFilter} />
        <span className="spring" />
        <a className="button" href={`/api/audit/export?${query}`} download="ambit-audit.jsonl">
          Export JSONL
        </a>
      </div>
      <div className={`audit${open === null ? "" : " with-event"}`}>
        <AuditList key={JSON.stringify(filter)} filter={filter} open={open} onOpen={setOpen} />
        {open === null ? null : <EventDocument seq={open} onClose={() => setOpen(null)} />}
      </div>
    </div>
  );
}

/** In the address, so that a search can be sent as a link. */
function useAuditFilter(): readonly [AuditFilter, (name: keyof AuditFilter, value: string) => void] {
  const [run, setRun] = useQueryValue("run");
  const [type, setType] = useQueryValue("type");
  const [text, setText] = useQueryValue("text");
  const [delegation, setDelegation] = useQueryValue("delegation");
  const [order, setOrder] = useQueryValue("order");
  const setters = { run: setRun, type: setType, text: setText, delegation: setDelegation, order: setOrder };
  const filter = { run, type, text, delegation, order: order === "oldest" ? order : "newest" } as const;
  return [filter, (name, value) => setters[name](value)];
}

function ChainBadge() {
  const [round, setRound] = useState(0);
  const { answer, problem } = useAnswer<ChainCheck>({
    url: "/api/audit/verify",
    fields: ["isIntact", "events"],
    version: round,
  });
  const again = (
    <button type="button" className="button" onClick={() => setRound(round + 1)}>
      Verify again
    </button>
  );
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (answer === undefined) return <Tag tone="quiet">◌ verifying the chain…</Tag>;
  return (
    <div className="actions badge">
      {answer.isIntact ? (
        <Tag tone="good">✔ verified: {formatCount(answer.events)} events, chain intact</Tag>
      ) : (
        <Tag tone="bad">✖ not intact: {answer.problem}</Tag>
      )}
      <span className="mono quiet" title="Hash of the newest event">
        {answer.hash.slice(0, 12)}
      </span>
      {again}
    </div>
  );
}

interface FilterFieldsProps {
  readonly filter: AuditFilter;
  readonly onChange: (name: keyof AuditFilter, value: string) => void;
}

function FilterFields({ filter, onChange }: FilterFieldsProps) {
  const { runs } = useStore(liveProject);
  return (
    <>
      <select
        className="field story-choice"
        aria-label="Story"
        value={filter.run}
        onChange={(event) => onChange("run", event.target.value)}
      >
        <option value="">All stories</option>
        {[...runs.values()].map(({ id, title }) => (
          <option key={id} value={id}>
            {title.slice(0, 60)}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label="Kind of event"
        value={filter.type}
        onChange={(event) => onChange("type", event.target.value)}
      >
        <option value="">All kinds</option>
        {eventTypes.map((type) => (
          <option key={type} value={type}>
            {type}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label="Order"
        value={filter.order}
        onChange={(event) => onChange("order", event.target.value === "oldest" ? "oldest" : "")}
      >
        <option value="newest">Newest first</option>
        <option value="oldest">Oldest first</option>
      </select>
      <SearchField label="Search the text" value={filter.text} onSearch={(text) => onChange("text", text)} />
      {filter.delegation === "" ? null : (
        <button type="button" className="button" onClick={() => onChange("delegation", "")}>
          Only <code>{filter.delegation}</code> <span aria-hidden="true">×</span>
          <span className="unseen">Show all delegations</span>
        </button>
      )}
    </>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}

/** The journal is searched on Enter: it may be long. */
function SearchField({ label, value, onSearch }: SearchFieldProps) {
  return (
    <input
      key={value}
      type="search"
      className="field"
      aria-label={label}
      placeholder="Search, then Enter"
      defaultValue={value}
      onKeyDown={(event) => {
        if (event.key === "Enter") onSearch(event.currentTarget.value);
      }}
    />
  );
}

function EventDocument({ seq, onClose }: { readonly seq: number; readonly onClose: () => void }) {
  const { answer, problem } = useAnswer<AuditEvent>({ url: `/api/audit/${seq}`, fields: ["json", "hash"] });
  return (
    <section className="sheet event" aria-label={`Event ${seq}`}>
      <div className="panel-title pad">
        <h2>
          Event {seq} <span className="quiet">{answer?.type}</span>
        </h2>
        <button type="button" className="button bare" aria-label="Close the event" onClick={onClose}>
          ×
        </button>
      </div>
      {problem === undefined ? null : <ProblemNote problem={problem} />}
      {answer === undefined ? (
        problem === undefined && <Loading what="the event" />
      ) : (
        <>
          <p className="pad mono quiet hash">sha256 {answer.hash}</p>
          <pre className="code scroll" tabIndex={0}>
            <LongText text={answer.json} />
          </pre>
        </>
      )}
    </section>
  );
}
