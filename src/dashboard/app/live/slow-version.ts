import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 1000;

/** Follows a fast-rising number at most once a second, for documents that are loaded as a whole. */
export function useSlowVersion(version: number): number {
  const [slow, setSlow] = useState(version);
  const newest = useRef(version);
  const waiting = useRef<number | undefined>(undefined);
  newest.current = version;
  useEffect(() => {
    waiting.current ??= window.setTimeout(() => {
      waiting.current = undefined;
      setSlow(newest.current);
    }, PAUSE_MS);
  }, [version]);
  useEffect(
    () => () => {
      window.clearTimeout(waiting.current);
      waiting.current = undefined;
    },
    [],
  );
  return slow;
}

/** Follows a text once it has not changed for a moment, for questions about what is being written. */
export function useSlowText(text: string): string {
  const [slow, setSlow] = useState(text);
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(text), PAUSE_MS / 2);
    return () => window.clearTimeout(timer);
  }, [text]);
  return slow;
}
