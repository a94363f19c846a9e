/** Colours that are plain text when they are not wanted. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly invert: (text: string) => string;
}

/** Written here, because a package for it would open the standard streams to look at them, at every start. */
export function paint(enabled: boolean): Paint {
  const between =
    (open: number, close: number) =>
    (text: string): string =>
      enabled && text !== "" ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: between(1, 22),
    dim: between(2, 22),
    red: between(31, 39),
    green: between(32, 39),
    yellow: between(33, 39),
    invert: between(7, 27),
  };
}
