import { useDeferredValue, useId, useState, type FormEvent, type ReactNode } from "react";
import type { StoryAdvice, StoryDraft } from "../../../app/view-types.ts";
import { goTo, storyPath } from "../frame/route.ts";
import { perform } from "../live/actions.ts";
import { useSlowText } from "../live/slow-version.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";

interface Written {
  readonly title: string;
  readonly agent: string;
  readonly checks: string;
  readonly criteria: string;
  readonly budget: string;
  readonly minutes: string;
}

const nothing: Written = { title: "", agent: "", checks: "", criteria: "", budget: "", minutes: "" };

/** Starts a story, with the advice of the dry run next to the form. */
export function NewStory() {
  const [written, setWritten] = useState(nothing);
  const [isStarting, setStarting] = useState(false);
  const draft = readDraft(written);
  const set = (name: keyof Written) => (value: string) =>
    setWritten((before) => ({ ...before, [name]: value }));
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setStarting(true);
    const result = await perform({ kind: "start-story", story: draft });
    setStarting(false);
    if (result?.run !== undefined && result.run !== null) goTo(storyPath(result.run));
  };
  return (
    <div className="view">
      <h1>New story</h1>
      <div className="halves">
        <form className="sheet pad stack" onSubmit={(event) => void start(event)}>
          <Fields written={written} onChange={set} />
          <div className="actions">
            <button type="submit" className="button main-action" disabled={draft.title === "" || isStarting}>
              Start
            </button>
          </div>
        </form>
        <section className="sheet pad stack" aria-label="Advice">
          <h2>Before it starts</h2>
          <Advice draft={draft} />
        </section>
      </div>
    </div>
  );
}

interface FieldsProps {
  readonly written: Written;
  readonly onChange: (name: keyof Written) => (value: string) => void;
}

function Fields({ written, onChange }: FieldsProps) {
  const bind = (name: keyof Written): ValueProps => ({ value: written[name], onChange: onChange(name) });
  return (
    <>
      <LinesField label="What is to be done" isRequired {...bind("title")} />
      <AgentField {...bind("agent")} />
      <LinesField label="Commands that must pass (one per line)" {...bind("checks")} />
      <LinesField
        label="Other criteria (one per line; a person is asked about what no command can check)"
        {...bind("criteria")}
      />
      <NumberField label="Budget in dollars" {...bind("budget")} />
      <NumberField label="Time limit of an attempt in minutes" {...bind("minutes")} />
    </>
  );
}

function readDraft({ title, agent, checks, criteria, budget, minutes }: Written): StoryDraft {
  const [commands, others] = [splitLines(checks), splitLines(criteria)];
  return {
    title: title.trim(),
    ...(agent === "" ? {} : { agent }),
    ...(commands.length === 0 ? {} : { checks: commands }),
    ...(others.length === 0 ? {} : { criteria: others }),
    ...(budget === "" ? {} : { budgetUsd: Number(budget) }),
    ...(minutes === "" ? {} : { timeoutSeconds: Math.max(1, Math.round(Number(minutes) * 60)) }),
  };
}

function splitLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function Advice({ draft }: { readonly draft: StoryDraft }) {
  const json = useSlowText(useDeferredValue(JSON.stringify(draft)));
  const isEmpty = draft.title === "" || json.startsWith('{"title":""');
  const url = isEmpty ? null : `/api/preview?story=${encodeURIComponent(json)}`;
  const { answer, problem } = useAnswer<StoryAdvice>({ url, fields: ["facts", "advice"] });
  if (url === null) return <p className="quiet">Describe the work; the dry run tells you what to expect.</p>;
  if (problem !== undefined) return <ProblemNote problem={problem} />;
  if (answer === undefined) return <Loading what="the advice" />;
  return (
    <dl className="facts">
      <dt>Agent</dt>
      <dd>
        {answer.agent === "" ? (
          "none is named and the project has no default"
        ) : (
          <Outside text={answer.agent} />
        )}
      </dd>
      <dt>Expected</dt>
      <dd>
        <Outside text={answer.facts.join(", ")} />
      </dd>
      <dt>Advice</dt>
      <dd>
        <Outside text={[answer.advice, ...answer.reasons].join(": ")} />
      </dd>
      <dt>Proof</dt>
      <dd>
        <Outside
          text={
            answer.criteria.length === 0
              ? "the project's own tests, if it has any"
              : answer.criteria.join("; ")
          }
        />
      </dd>
      {answer.warnings.map((warning) => (
        <dd key={warning} className="tone-text bad">
          <Outside text={warning} />
        </dd>
      ))}
    </dl>
  );
}

interface FieldProps {
  readonly label: string;
  readonly children: (id: string) => ReactNode;
}

function Field({ label, children }: FieldProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface ValueProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface LinesFieldProps extends ValueProps {
  readonly label: string;
  readonly isRequired?: boolean;
}

function LinesField({ label, value, onChange, isRequired = false }: LinesFieldProps) {
  return (
    <Field label={label}>
      {(id) => (
        <textarea
          id={id}
          className="field"
          required={isRequired}
          maxLength={2000}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function NumberField({ label, value, onChange }: ValueProps & { readonly label: string }) {
  return (
    <Field label={`${label} (optional)`}>
      {(id) => (
        <input
          id={id}
          className="field"
          type="number"
          min="0"
          step="any"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function AgentField({ value, onChange }: ValueProps) {
  const { answer } = useAnswer<{ readonly agents: readonly string[] }>({
    url: "/api/agents",
    fields: ["agents"],
  });
  return (
    <Field label="Agent">
      {(id) => (
        <select id={id} className="field" value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">the project's default</option>
          {(answer?.agents ?? []).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
