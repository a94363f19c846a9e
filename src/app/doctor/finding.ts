/** One line of `ambit doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** The next step when it is not ok. */
  readonly next?: string;
  /** It is ok, but there is something to do. */
  readonly isAdvice?: boolean;
  /** It is not there, and nothing needs it. */
  readonly isAbsent?: boolean;
}
