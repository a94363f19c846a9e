/** Why a text cannot be read, and where. */
export interface BrokenFacts {
  readonly at: number;
  readonly why: string;
}

/** Thrown inside a reader of texts and answered by it as a value. */
export class BrokenText extends Error {
  readonly facts: BrokenFacts;

  constructor(at: number, why: string) {
    super(why);
    this.facts = { at, why };
  }
}

/** What reading gave, or why it could not be read. */
export function readOrExplain<Result>(read: () => Result): Result | BrokenFacts {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenText) return error.facts;
    throw error;
  }
}
