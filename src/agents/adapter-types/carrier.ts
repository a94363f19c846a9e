/**
 * A file or folder of a project that makes a program run something, or changes what it runs and where it sends its
 * requests. Nothing of it takes effect before the person trusts the project.
 */
export interface Carrier {
  /** Relative to the project. */
  readonly path: string;
  /**
   * `fields`: a JSON file of which each top-level field counts for itself. `folder`: every file below it. `variables`: a
   * file of `NAME=value` lines, of which those in `names` count.
   */
  readonly kind: "file" | "folder" | "fields" | "variables";
  /** Its effect, in a few words. */
  readonly what: string;
  /** Where the program documents that it reads it by itself. */
  readonly source: string;
  /** Fields that run nothing; all others count. */
  readonly harmless?: readonly string[];
  /** Variables that start something or send requests, with their keys, elsewhere. */
  readonly names?: readonly string[];
}
