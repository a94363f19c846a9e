import type { NodeState } from "../../../app/view-types.ts";
import { standstill } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { drivenStates, interrupted, looks, type Tone } from "../text/state-look.ts";

interface StateMarkProps {
  readonly state: NodeState;
  readonly word: string;
  readonly isTag?: boolean;
}

/**
 * A state is a mark and a word; the colour only repeats them. The journal goes on saying "running" when the process that
 * drove the work is gone, so that is said instead.
 */
export function StateMark({ state, word: told, isTag = false }: StateMarkProps) {
  const isInterrupted = useStore(standstill) && drivenStates.has(state);
  const { glyph, tone, isMoving = false } = isInterrupted ? interrupted : looks[state];
  const word = isInterrupted ? "interrupted" : told;
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
