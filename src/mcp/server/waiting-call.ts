/** The rest of a waiting call while a person is asked; the client sends it back unchanged. */
export function rememberWait(name: string, value: Readonly<Record<string, unknown>>): string | undefined {
  if (name !== "delegate" && name !== "wait") return undefined;
  const { ticket, cursor } = value;
  if (typeof ticket !== "string" || ticket === "" || typeof cursor !== "string") return undefined;
  return JSON.stringify({ ticket, cursor });
}

/**
 * The call that continues the wait. The state comes from the client and is not trusted: it can only name what to wait
 * for, which the token must allow like any other wait.
 */
export function continueWait(state: unknown): { readonly name: string; readonly input: unknown } | undefined {
  if (typeof state !== "string") return undefined;
  try {
    const input: unknown = JSON.parse(state);
    return { name: "wait", input };
  } catch {
    // The state is not ours, so this is an ordinary call.
    return undefined;
  }
}
