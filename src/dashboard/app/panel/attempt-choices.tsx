import type { Attempt } from "../../../app/view-types.ts";
import { useQueryValue } from "../frame/route.ts";

interface AttemptChoicesProps {
  readonly attempts: readonly Attempt[];
  /** Chosen where the address says nothing; null for all of them together. */
  readonly newest: number | null;
}

/** Which attempt is shown, and with which it is compared; nothing where there is only one. */
export function AttemptChoices({ attempts, newest }: AttemptChoicesProps) {
  const [chosen, setChosen] = useQueryValue("attempt");
  const [other, setOther] = useQueryValue("with");
  if (attempts.length < 2) return null;
  const all = newest === null ? "All of its work" : undefined;
  const shown = chosen === "" && newest !== null ? String(newest) : chosen;
  return (
    <>
      <AttemptChoice label="Attempt" none={all} attempts={attempts} chosen={shown} onChoose={setChosen} />
      <AttemptChoice
        label="Compare with"
        none="Compare with…"
        attempts={attempts}
        chosen={other}
        onChoose={setOther}
      />
    </>
  );
}

interface AttemptChoiceProps {
  readonly label: string;
  /** The label for choosing no attempt, if that is possible. */
  readonly none: string | undefined;
  readonly attempts: readonly Attempt[];
  readonly chosen: string;
  readonly onChoose: (attempt: string) => void;
}

function AttemptChoice({ label, none, attempts, chosen, onChoose }: AttemptChoiceProps) {
  return (
    <select
      className="field"
      aria-label={label}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      {none === undefined ? null : <option value="">{none}</option>}
      {attempts.map(({ number }) => (
        <option key={number} value={number}>
          Attempt {number}
        </option>
      ))}
    </select>
  );
}
