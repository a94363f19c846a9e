export interface AuditFilter {
  /** Empty for all. */
  readonly run: string;
  readonly type: string;
  readonly order: "newest" | "oldest";
}
