import type { HandBack } from "../../../app/view-types.ts";
import { Empty } from "../parts/notices.tsx";
import { LongText, Outside } from "../parts/outside.tsx";
import { Tag } from "../parts/state-mark.tsx";
import { formatMoment, plural } from "../text/format.ts";
import type { Tone } from "../text/state-look.ts";
import type { TabProps } from "./tab-props.ts";

const judgements: Readonly<Record<HandBack["status"], { readonly tone: Tone; readonly text: string }>> = {
  absent: { tone: "quiet", text: "◌ none yet" },
  unread: { tone: "bad", text: "✖ no return was found in the text" },
  invalid: { tone: "bad", text: "✖ not valid" },
  valid: { tone: "good", text: "✔ valid" },
};

/** The worker's return, word for word, and how it was judged. */
export function ReturnTab({ detail: { handBack } }: TabProps) {
  const { status, raw, problems, accepted, rejected, isCut } = handBack;
  if (status === "absent" && accepted === null && rejected.length === 0) {
    return <Empty title="No return yet">The worker hands one back when it is done.</Empty>;
  }
  const { tone, text } = judgements[status];
  return (
    <div className="stack">
      <p>
        <Tag tone={tone}>{text}</Tag>
      </p>
      <Problems problems={problems} />
      {rejected.length === 0 ? null : <Rejected rejected={rejected} />}
      {accepted === null ? null : <Accepted accepted={accepted} />}
      {raw === "" ? null : (
        <section className="stack" aria-label="As it was written">
          <h3>As it was written{isCut ? " (the beginning)" : ""}</h3>
          <pre className="code" tabIndex={0}>
            <LongText text={indented(raw)} />
          </pre>
        </section>
      )}
    </div>
  );
}

function Problems({ problems }: Pick<HandBack, "problems">) {
  return problems.map(({ code, message, recommendation }) => (
    <div key={`${code} ${message}`} className="problem">
      <strong>
        <code>
          <Outside text={code} />
        </code>{" "}
        <Outside text={message} />
      </strong>
      <p>
        <Outside text={recommendation} />
      </p>
    </div>
  ));
}

function Accepted({ accepted }: { readonly accepted: NonNullable<HandBack["accepted"]> }) {
  return (
    <dl className="facts">
      <dt>Status</dt>
      <dd>
        <Outside text={accepted.status} />
      </dd>
      <dt>Summary</dt>
      <dd>
        <LongText text={accepted.summary} />
      </dd>
      {accepted.artifacts.length === 0 ? null : (
        <>
          <dt>Artifacts</dt>
          <dd>
            <Outside text={accepted.artifacts.join(", ")} />
          </dd>
        </>
      )}
      {accepted.errors.length === 0 ? null : (
        <>
          <dt>Errors</dt>
          <dd>
            <Problems problems={accepted.errors} />
          </dd>
        </>
      )}
      {accepted.nextSteps === "" ? null : (
        <>
          <dt>Next steps</dt>
          <dd>
            <LongText text={accepted.nextSteps} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Rejected({ rejected }: Pick<HandBack, "rejected">) {
  return (
    <div className="note">
      <p>{plural(rejected.length, "return")} sent back for repair:</p>
      <ul className="details">
        {rejected.map(({ atMs, codes }, at) => (
          <li key={at}>
            <code>{codes.join(", ")}</code>{" "}
            <span className="quiet">{atMs === null ? "" : formatMoment(atMs)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Indents JSON and shows anything else unchanged. */
function indented(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    // Not JSON, or cut off in the middle: show the text itself.
    return raw;
  }
}
