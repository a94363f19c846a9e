import { useCallback, useEffect, useState } from "react";
import type { Problem } from "../../../app/view-types.ts";
import { asProblem, ask } from "./calls.ts";

export interface Answered<Answer> {
  readonly answer: Answer | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

interface Wanted<Answer> {
  /** Null asks for nothing. */
  readonly url: string | null;
  readonly fields: readonly (keyof Answer & string)[];
  /** A change loads the document again; the old one stays on the screen meanwhile. */
  readonly version?: number | string;
}

interface Known<Answer> {
  readonly url: string | null;
  readonly answer?: Answer;
  readonly problem?: Problem;
}

/** Asks the server for a document, and again when something about it has changed. */
export function useAnswer<Answer>({ url, fields, version = 0 }: Wanted<Answer>): Answered<Answer> {
  const [known, setKnown] = useState<Known<Answer>>({ url: null });
  const [round, setRound] = useState(0);
  const wanted = fields.join();
  useEffect(() => {
    if (url === null) return undefined;
    const stop = new AbortController();
    ask<Answer>({ url, fields, signal: stop.signal }).then(
      (answer) => setKnown({ url, answer }),
      (error: unknown) => {
        if (!stop.signal.aborted) setKnown((before) => withProblem(before, url, asProblem(error)));
      },
    );
    return () => stop.abort();
    // `fields` is a new array at each call; its text tells whether it changed.
  }, [url, wanted, version, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const isCurrent = known.url === url;
  return {
    answer: isCurrent ? known.answer : undefined,
    problem: isCurrent ? known.problem : undefined,
    reload,
  };
}

function withProblem<Answer>(before: Known<Answer>, url: string, problem: Problem): Known<Answer> {
  return before.url === url && before.answer !== undefined
    ? { url, answer: before.answer, problem }
    : { url, problem };
}
