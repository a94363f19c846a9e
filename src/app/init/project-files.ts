export interface TestCommand {
  readonly command: string;
  /** Where it was seen. */
  readonly because: string;
}
