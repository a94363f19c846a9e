/** Whether a thrown value is a system error of the given kind, such as `EEXIST`. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}
