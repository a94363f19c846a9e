import { useState } from "react";
import type { Attempt, LogStream } from "../../../app/view-types.ts";
import { useQueryValue } from "../frame/route.ts";
import { standstill } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Empty, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { formatDuration } from "../text/format.ts";
import { LogLines } from "./log-lines.tsx";
import { AttemptChoices } from "./attempt-choices.tsx";
import type { TabProps } from "./tab-props.ts";
import { useLog, type Log } from "./use-log.ts";

const streams: readonly { readonly id: LogStream; readonly name: string }[] = [
  { id: "stdout", name: "Output" },
  { id: "stderr", name: "Errors" },
  { id: "prompt", name: "Prompt" },
];

/** The output of an attempt, while it is written; optionally next to that of another attempt. */
export function LogTab({ detail: { node, attempts } }: TabProps) {
  const [chosen] = useQueryValue("attempt");
  const [other] = useQueryValue("with");
  const [wantedStream, setStream] = useQueryValue("stream");
  const [text, setText] = useState("");
  const stream = streams.find(({ id }) => id === wantedStream)?.id ?? "stdout";
  const attempt = chosen === "" ? node.attempt : Number(chosen);
  const reason = node.waitReason === "" ? "It waits for its turn." : node.waitReason;
  if (node.attempt === 0) return <Empty title="Not started yet">{reason}</Empty>;
  const shown = other === "" ? [attempt] : [attempt, Number(other)];
  return (
    <div className="log">
      <div className="toolbar">
        <StreamChoice chosen={stream} onChoose={setStream} />
        <AttemptChoices attempts={attempts} newest={attempt} />
        <SearchField text={text} onChange={setText} />
      </div>
      <div className={shown.length > 1 ? "compare" : "log"}>
        {shown.map((number, at) => (
          <AttemptLog
            key={`${at} ${number}`}
            wanted={{ id: node.id, attempt: number, stream }}
            attempt={shown.length > 1 ? attempts.find((one) => one.number === number) : undefined}
            text={text}
          />
        ))}
      </div>
    </div>
  );
}

interface SearchFieldProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function SearchField({ text, onChange }: SearchFieldProps) {
  return (
    <input
      type="search"
      className="field"
      aria-label="Search the log"
      placeholder="Search…"
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface AttemptLogProps {
  readonly wanted: { readonly id: string; readonly attempt: number; readonly stream: LogStream };
  /** Told above its log where two are compared. */
  readonly attempt: Attempt | undefined;
  readonly text: string;
}

function AttemptLog({ wanted, attempt, text }: AttemptLogProps) {
  const [line, setLine] = useQueryValue("line");
  const [isFollowing, setFollowing] = useState(line === "");
  const log = useLog({ ...wanted, line: line === "" ? null : Number(line) });
  const query = new URLSearchParams({ attempt: String(wanted.attempt), stream: wanted.stream });
  const address = `/api/delegations/${encodeURIComponent(wanted.id)}/log/download?${query.toString()}`;
  return (
    <div className="log">
      {attempt === undefined ? null : <AttemptFacts attempt={attempt} />}
      <div className="toolbar">
        <LiveMark log={log} />
        <span className="spring" />
        <button
          type="button"
          className="button"
          aria-pressed={isFollowing}
          aria-keyshortcuts="f"
          onClick={() => setFollowing(!isFollowing)}
        >
          Follow <kbd>f</kbd>
        </button>
        <a className="button" href={address} download={`${wanted.id}-${wanted.attempt}-${wanted.stream}.log`}>
          Download
        </a>
      </div>
      {log.problem === undefined ? null : <ProblemNote problem={log.problem} />}
      <LogLines
        key={log.url}
        log={log}
        text={text}
        chosen={line === "" ? null : Number(line)}
        onChoose={(number) => setLine(String(number))}
        isFollowing={isFollowing}
        onFollow={setFollowing}
      />
    </div>
  );
}

function LiveMark({ log }: { readonly log: Log }) {
  const isStanding = useStore(standstill);
  return <span className="quiet">{!log.isLive ? "" : isStanding ? "◌ interrupted" : "● live"}</span>;
}

function AttemptFacts({
  attempt: { number, startedAtMs, endedAtMs, code, reason },
}: {
  readonly attempt: Attempt;
}) {
  const took = startedAtMs === null || endedAtMs === null ? "" : formatDuration(endedAtMs - startedAtMs);
  return (
    <p className="numbers">
      <strong>Attempt {number}</strong> {took} {code === null ? null : <code>{code}</code>}{" "}
      <Outside text={reason} className="quiet" />
    </p>
  );
}

interface StreamChoiceProps {
  readonly chosen: LogStream;
  readonly onChoose: (stream: LogStream) => void;
}

function StreamChoice({ chosen, onChoose }: StreamChoiceProps) {
  return (
    <div className="choice" role="group" aria-label="What to show">
      {streams.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="button"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
