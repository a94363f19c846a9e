import { useEffect, useState } from "react";

const EVERY_MS = 10_000;

/** Rises regularly while the page is visible, for files that can be edited without a journal event. */
export function useLook(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") setCount((before) => before + 1);
    };
    const timer = window.setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return count;
}
