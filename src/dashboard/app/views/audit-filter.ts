export interface AuditFilter {
  /** Empty for all. */
  readonly run: string;
  readonly type: string;
  /** Only events whose text contains it. */
  readonly text: string;
  readonly delegation: string;
  readonly order: "newest" | "oldest";
}
