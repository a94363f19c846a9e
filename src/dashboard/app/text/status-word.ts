/** `not_started` as people write it. */
export function statusWord(status: string): string {
  return status.replaceAll("_", " ");
}
