import * as z from "zod";

/** Accepts the dated and the epoch form (C7); we generate the epoch form only. */
const sessionIdPattern: RegExp = /^sess_(?:\d{8}|\d{10})_[0-9a-z]{6}$/;
export const sessionIdSchema = z.string().regex(sessionIdPattern);

export function isSessionId(text: string): boolean {
  return sessionIdPattern.test(text);
}

/** Story ids become branch names, folders and child ids, so their alphabet is small. */
const storyIdPattern: RegExp = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/;
export const storyIdSchema = z
  .string()
  .regex(storyIdPattern, "use 1 to 80 letters, digits, '-', '_' or '.', starting with a letter or digit")
  .refine(
    (id) => !id.includes("..") && !id.endsWith(".") && !id.endsWith(".lock"),
    "cannot be a branch name",
  );
