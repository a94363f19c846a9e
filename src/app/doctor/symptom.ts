/** One thing to do about a symptom. */
export interface Step {
  readonly text: string;
  /** A command line that can be typed as it stands; `<id>` stands for a story or delegation. */
  readonly command?: string;
}

/** Something that goes wrong, its possible causes and the next steps (R128). One source for doctor, help and the guide. */
export interface Symptom {
  readonly name: string;
  readonly title: string;
  readonly signs: string;
  readonly causes: readonly string[];
  readonly steps: readonly Step[];
}
