interface MeterProps {
  readonly label: string;
  readonly used: number;
  readonly of: number;
  /** The meaning of the numbers, in words. */
  readonly text: string;
}

/** The used part of a limit; the text says the same to screen readers. */
export function Meter({ label, used, of, text }: MeterProps) {
  const share = of === 0 ? 1 : Math.min(1, used / of);
  const tone = share >= 1 ? "bad" : share >= 0.8 ? "attention" : "busy";
  return (
    <span
      className={`meter tone-${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={Math.min(used, of)}
      aria-valuetext={text}
    >
      <i style={{ width: `${share * 100}%` }} />
    </span>
  );
}
