/** What is left of a waiting call while a person is asked; the client sends it back as it was. */
export function rememberWait(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  if (name !== "delegate" && name !== "wait") return undefined;
  const { ticket, cursor } = value;
  if (typeof ticket !== "string" || ticket === "" || typeof cursor !== "string") return undefined;
  return JSON.stringify({ ticket, cursor });
}

/**
 * The call that goes on from there. The state comes from the client and is not trusted: all it can name is what to
 * wait for, and that is judged by the token like any other wait.
 */
export function continueWait(state: unknown): { readonly name: string; readonly input: unknown } | undefined {
  if (typeof state !== "string") return undefined;
  try {
    const input: unknown = JSON.parse(state);
    return { name: "wait", input };
  } catch {
    // Not ours: then it is a call like any other.
    return undefined;
  }
}
