import { useId, useState, type FormEvent } from "react";
import type { MessageRow } from "../../../app/view-types.ts";
import { perform } from "../live/actions.ts";
import { Empty } from "../parts/notices.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatStamp } from "../text/format.ts";
import type { TabProps } from "./tab-props.ts";

export function MessagesTab({ detail }: TabProps) {
  const { messages, node, can } = detail;
  return (
    <div className="stack">
      {messages.length === 0 ? (
        <Empty title="No messages">What manager and worker say to each other shows up here.</Empty>
      ) : (
        <ol className="messages">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      )}
      {can.includes("message") ? (
        <WriteMessage id={node.id} />
      ) : (
        <p className="quiet">A message can be sent while the worker is at work.</p>
      )}
    </div>
  );
}

function Message({ message: { from, to, kind, text, state, atMs } }: { readonly message: MessageRow }) {
  return (
    <li className="card">
      <p className="card-head quiet">
        <span className="numbers">{atMs === null ? "" : formatStamp(atMs)}</span>
        <Outside text={`${from} → ${to}`} className="cut" />
        <span className="tag tone-quiet">{kind.replaceAll("_", " ")}</span>
        <span>{state}</span>
      </p>
      <p className="said">
        <LongText text={text} />
      </p>
    </li>
  );
}

function WriteMessage({ id }: { readonly id: string }) {
  const [text, setText] = useState("");
  const field = useId();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await perform({ kind: "message", id, text: text.trim() });
    if (result !== undefined) setText("");
  };
  return (
    <form className="stack" onSubmit={(event) => void send(event)}>
      <label className="label" htmlFor={field}>
        Message to the worker
      </label>
      <textarea id={field} className="field" value={text} onChange={(event) => setText(event.target.value)} />
      <div className="actions">
        <button type="submit" className="button main-action" disabled={text.trim() === ""}>
          Send
        </button>
      </div>
    </form>
  );
}
