import { useState } from "react";
import type { Attempt, LogStream } from "../../../app/view-types.ts";
import { standstill } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Empty, ProblemNote } from "../parts/notices.tsx";
import { LogLines } from "./log-lines.tsx";
import type { TabProps } from "./tab-props.ts";
import { useLog } from "./use-log.ts";

const streams: readonly { readonly id: LogStream; readonly name: string }[] = [
  { id: "stdout", name: "Output" },
  { id: "stderr", name: "Errors" },
  { id: "prompt", name: "Prompt" },
];

/** The output of an attempt, while it is written. */
export function LogTab({ detail: { node, attempts } }: TabProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [stream, setStream] = useState<LogStream>("stdout");
  const [isFollowing, setFollowing] = useState(true);
  const attempt = chosen ?? node.attempt;
  const isStanding = useStore(standstill);
  const log = useLog({ id: node.id, attempt, stream });
  if (node.attempt === 0) {
    return (
      <Empty title="Not started yet">
        {node.waitReason === "" ? "It waits for its turn." : node.waitReason}
      </Empty>
    );
  }
  return (
    <div className="log">
      <div className="toolbar">
        <StreamChoice chosen={stream} onChoose={setStream} />
        {attempts.length < 2 ? null : (
          <AttemptChoice attempts={attempts} chosen={attempt} onChoose={setChosen} />
        )}
        <span className="spring" />
        <span className="quiet">{!log.isLive ? "" : isStanding ? "◌ interrupted" : "● live"}</span>
        <button
          type="button"
          className="button"
          aria-pressed={isFollowing}
          aria-keyshortcuts="f"
          onClick={() => setFollowing(!isFollowing)}
        >
          Follow <kbd>f</kbd>
        </button>
      </div>
      {log.problem === undefined ? null : <ProblemNote problem={log.problem} />}
      <LogLines key={log.url} log={log} isFollowing={isFollowing} onFollow={setFollowing} />
    </div>
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

interface AttemptChoiceProps {
  readonly attempts: readonly Attempt[];
  readonly chosen: number;
  readonly onChoose: (attempt: number) => void;
}

function AttemptChoice({ attempts, chosen, onChoose }: AttemptChoiceProps) {
  return (
    <select
      className="field"
      aria-label="Attempt"
      value={chosen}
      onChange={(event) => onChoose(Number(event.target.value))}
    >
      {attempts.map(({ number }) => (
        <option key={number} value={number}>
          Attempt {number}
        </option>
      ))}
    </select>
  );
}
