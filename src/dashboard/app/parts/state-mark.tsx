import type { NodeState, TreeNode } from "../../../app/view-types.ts";
import { useNow } from "../live/clock.ts";
import { useOutput } from "../live/outputs.ts";
import { standstill } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { formatDuration } from "../text/format.ts";
import { drivenStates, interrupted, looks, silent, type Tone } from "../text/state-look.ts";

interface StateMarkProps {
  readonly state: NodeState;
  readonly word: string;
  readonly isTag?: boolean;
  /** For a story: whether some of its work could go on now. */
  readonly canGoOn?: boolean;
  /** For a running worker: for how long it has written nothing, if that is too long. */
  readonly silentMs?: number | undefined;
}

/**
 * A state is a mark and a word; the colour only repeats them. The journal goes on saying "running" when the process that
 * drove the work is gone, so that is said instead.
 */
export function StateMark(props: StateMarkProps) {
  const { state, word: told, isTag = false, canGoOn = drivenStates.has(state), silentMs } = props;
  const isInterrupted = useStore(standstill) && canGoOn;
  const isSilent = state === "running" && silentMs !== undefined;
  const look = isInterrupted ? interrupted : isSilent ? silent : looks[state];
  const { glyph, tone, isMoving = false } = look;
  const word = isInterrupted ? "interrupted" : isSilent ? `silent ${formatDuration(silentMs)}` : told;
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

/** The state of a delegation, with what its worker last wrote taken into account. */
export function NodeMark({ node, isTag = false }: { readonly node: TreeNode; readonly isTag?: boolean }) {
  const output = useOutput(node.id);
  const now = useNow(output !== undefined);
  const sinceMs = output === undefined ? 0 : now - output.atMs;
  const silentMs = sinceMs >= (output?.silentAfterMs ?? Infinity) ? sinceMs : undefined;
  return <StateMark state={node.state} word={node.stateWord} isTag={isTag} silentMs={silentMs} />;
}
