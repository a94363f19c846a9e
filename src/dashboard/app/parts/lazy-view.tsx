import { useEffect, useState, type ReactNode } from "react";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Loading, ProblemNote } from "./notices.tsx";

type View<Props> = (props: Props) => ReactNode;

const loaders: (() => Promise<unknown>)[] = [];

/**
 * A view whose code is loaded when it is first shown. If the server is away, it says so in its place and tries again as
 * soon as the server is back.
 */
export function lazyView<Props extends object>(
  what: string,
  load: () => Promise<View<Props>>,
): (props: Props) => ReactNode {
  let loaded: View<Props> | undefined;
  const loadOnce = async (): Promise<void> => {
    loaded ??= await load();
  };
  loaders.push(loadOnce);
  return function LazyView(props: Props) {
    const [round, setRound] = useState(0);
    const [isMissing, setMissing] = useState(false);
    const { connection } = useStore(liveProject);
    useEffect(() => {
      if (loaded !== undefined) return undefined;
      let isGone = false;
      const show = (isFailed: boolean): void => {
        if (!isGone) setMissing(isFailed);
        if (!isGone && !isFailed) setRound((count) => count + 1);
      };
      loadOnce().then(
        () => show(false),
        () => show(true),
      );
      return () => void (isGone = true);
    }, [connection, round]);
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    if (!isMissing) return <Loading what={what} />;
    return (
      <div className="view">
        <ProblemNote problem={notLoaded(what)} onRetry={() => setRound(round + 1)} />
      </div>
    );
  };
}

/** Loads the code of all views ahead, so that they can be shown while the server is away. */
export function loadViews(): void {
  for (const load of loaders) load().catch(() => undefined);
}

function notLoaded(what: string) {
  return {
    code: "SERVER_UNREACHABLE",
    message: `The dashboard's server does not answer, so ${what} cannot be shown yet.`,
    recommendation: "Start ambit dashboard again and open the link it prints.",
  };
}
