import type { RefObject } from "react";
import type { DelegationDetail } from "../../../app/view-types.ts";
import { AgainActions } from "../frame/again-actions.tsx";
import { stop } from "../frame/person-actions.ts";
import { useNow } from "../live/clock.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { CostText } from "../parts/cost-text.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { NodeMark } from "../parts/state-mark.tsx";
import { formatDuration } from "../text/format.ts";
import { EntryBody } from "../questions/entry-card.tsx";

interface PanelHeadProps {
  readonly detail: DelegationDetail;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly onClose: () => void;
}

export function PanelHead({ detail, heading, onClose }: PanelHeadProps) {
  const { node, questions } = detail;
  return (
    <div className="panel-head">
      <div className="panel-title">
        <h2 ref={heading} tabIndex={-1}>
          {node.label === "" ? null : <span className="place numbers">{node.label} </span>}
          <Outside text={node.title} className="cut-2" />
        </h2>
        <button
          type="button"
          className="button bare"
          aria-label="Close the panel"
          title="Close (Esc)"
          onClick={onClose}
        >
          ×
        </button>
      </div>
      <Facts detail={detail} />
      {node.code === null ? null : (
        <p className="why">
          <code>{node.code}</code> <LongText text={node.summary} />
        </p>
      )}
      {questions.map((entry) => (
        <div key={entry.id} className="card question-card">
          <EntryBody entry={entry} />
        </div>
      ))}
      <Actions detail={detail} />
    </div>
  );
}

/** Only what the runtime would accept now is offered. */
function Actions({ detail: { node, can } }: Pick<PanelHeadProps, "detail">) {
  return (
    <div className="actions">
      {can.includes("stop") ? (
        <button type="button" className="button danger" onClick={() => void stop(node)}>
          Stop
        </button>
      ) : null}
      <AgainActions can={can} node={node} />
    </div>
  );
}

function Facts({ detail: { node, path } }: Pick<PanelHeadProps, "detail">) {
  const isCounting = node.startedAtMs !== null && node.endedAtMs === null;
  const now = useNow(isCounting);
  return (
    <ul className="figures quiet numbers">
      <li>
        <NodeMark node={node} isTag />
      </li>
      <li>
        <Outside text={node.model === "" ? node.agent : `${node.agent} · ${node.model}`} />
      </li>
      {node.startedAtMs === null ? null : (
        <li>{formatDuration((node.endedAtMs ?? now) - node.startedAtMs)}</li>
      )}
      <li>
        <CostText microUsd={node.totalMicroUsd} source={node.costSource} />
      </li>
      <li className="mono">
        <CopyButton text={node.id} what="the id" label={node.id} />
      </li>
      <li>
        <CopyButton text={window.location.href} what="the link" label="link" />
      </li>
      {node.attempt > 1 ? <li>attempt {node.attempt}</li> : null}
      {path.length < 2 ? null : (
        <li className="cut" title="The path of agents down to it">
          <Outside text={path.join(" → ")} />
        </li>
      )}
    </ul>
  );
}
