import type { NodeState } from "../../../app/view-types.ts";
import { looks, type Tone } from "../text/state-look.ts";

interface StateMarkProps {
  readonly state: NodeState;
  readonly word: string;
  readonly isTag?: boolean;
}

/** A state is a mark and a word; the colour only repeats them. */
export function StateMark({ state, word, isTag = false }: StateMarkProps) {
  const { glyph, tone, isMoving = false } = looks[state];
  return (
    <span className={`state tone-${tone}${isTag ? " tag" : ""}${isMoving ? " moving" : ""}`}>
      <span className="glyph" aria-hidden="true">
        {glyph}
      </span>
      {word}
    </span>
  );
}

export function Tag({ tone, children }: { readonly tone: Tone; readonly children: React.ReactNode }) {
  return <span className={`tag tone-${tone}`}>{children}</span>;
}
