import { useId, useState, type FormEvent, type KeyboardEvent } from "react";
import type { Given, PersonQuestion } from "./overlay.ts";
import { Outside } from "../parts/outside.tsx";

interface QuestionFormProps {
  readonly question: PersonQuestion;
  readonly answer: (given: Given | null) => void;
}

export function QuestionForm({ question, answer }: QuestionFormProps) {
  const { title, text, confirm, field, choice, amounts = [], isDanger = false } = question;
  const [numbers, setNumbers] = useState<Given["amounts"]>({});
  const [written, setWritten] = useState("");
  const isMissing = (field?.isRequired === true || choice !== undefined) && written.trim() === "";
  const send = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!isMissing) answer({ text: written.trim(), amounts: numbers });
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
      {amounts.map(({ name, label }) => (
        <label key={name} className="label">
          {label}
          <input
            className="field"
            type="number"
            min="0"
            step="any"
            onChange={({ target }) => setNumbers((before) => withAmount(before, name, target.valueAsNumber))}
          />
        </label>
      ))}
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

function withAmount(before: Given["amounts"], name: string, value: number): Given["amounts"] {
  const { [name]: _old, ...others } = before;
  return Number.isNaN(value) ? others : { ...others, [name]: value };
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
