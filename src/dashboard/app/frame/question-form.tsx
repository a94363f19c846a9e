import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import type { PersonQuestion } from "./overlay.ts";
import { Outside } from "../parts/outside.tsx";

interface QuestionFormProps {
  readonly question: PersonQuestion;
  readonly answer: (text: string | null) => void;
}

export function QuestionForm({ question, answer }: QuestionFormProps) {
  const { title, text, confirm, field, choice, isDanger = false } = question;
  const [written, setWritten] = useState("");
  const isMissing = (field?.isRequired === true || choice !== undefined) && written.trim() === "";
  const send = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!isMissing) answer(written.trim());
  };
  return (
    <form onSubmit={send} className="question-form">
      <h2>{title}</h2>
      <p>
        <Outside text={text} />
      </p>
      {field === undefined ? null : (
        <Written field={field} text={written} onChange={setWritten} onSend={send} />
      )}
      {choice === undefined ? null : <Choice choice={choice} chosen={written} onChoose={setWritten} />}
      <div className="actions">
        <button type="button" className="button" onClick={() => answer(null)}>
          Cancel
        </button>
        <button
          type="submit"
          className={`button ${isDanger ? "danger" : "main-action"}`}
          autoFocus={field === undefined && choice === undefined}
          disabled={isMissing}
        >
          {confirm}
        </button>
      </div>
    </form>
  );
}

interface WrittenProps {
  readonly field: NonNullable<PersonQuestion["field"]>;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSend: (event: KeyboardEvent) => void;
}

function Written({ field, text, onChange, onSend }: WrittenProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {field.label}
      </label>
      <textarea
        id={id}
        className="field"
        autoFocus
        required={field.isRequired}
        aria-describedby={`${id}-hint`}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend(event);
        }}
      />
      <p id={`${id}-hint`} className="quiet">
        {field.hint === undefined ? "" : `${field.hint} `}Ctrl+Enter sends.
      </p>
    </div>
  );
}

interface ChoiceProps {
  readonly choice: NonNullable<PersonQuestion["choice"]>;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
}

function Choice({ choice, chosen, onChoose }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset className="options">
      <legend className="label">{choice.label}</legend>
      {choice.options.map((option, index) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            autoFocus={index === 0}
            value={option.value}
            checked={option.value === chosen}
            onChange={() => onChoose(option.value)}
          />{" "}
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}
