import { useState } from "react";

const CUT = 2000;

/** Untrusted text as an isolated text node: it can neither be markup nor reverse the text around it. */
export function Outside({ text, className }: { readonly text: string; readonly className?: string }) {
  return <bdi className={className}>{text}</bdi>;
}

/** The same for long texts: shows the beginning, and the rest on request. */
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
