import picocolors from "picocolors";

export type Paint = ReturnType<typeof picocolors.createColors>;

/** Colours that are plain text when they are not wanted. */
export function paint(enabled: boolean): Paint {
  return picocolors.createColors(enabled);
}
