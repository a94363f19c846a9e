import { useState } from "react";

const CUT = 2000;

/** Text from outside: a text node of its own direction, so that it can neither be markup nor reorder its surroundings. */
export function Outside({ text, className }: { readonly text: string; readonly className?: string }) {
  return <bdi className={className}>{text}</bdi>;
}

/** The same for texts of any length: the beginning, and the rest when asked for. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= CUT) return <Outside text={text} />;
  return (
    <>
      <Outside text={isWhole ? text : `${text.slice(0, CUT)}…`} />{" "}
      <button type="button" className="more" onClick={() => setWhole(!isWhole)}>
        {isWhole ? "Show less" : `Show all ${text.length.toLocaleString("en")} characters`}
      </button>
    </>
  );
}
