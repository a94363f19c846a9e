import { expect, it } from "vitest";
import { unreadable } from "../../../src/cli/input/input-error.ts";

it.each([
  ["EACCES", "secret may not be read by you"],
  ["EMFILE", "secret cannot be read: EMFILE: the system says no"],
])("explains %s and keeps the system's own error as the cause", (code, message) => {
  const cause = Object.assign(new Error(`${code}: the system says no`), { code });
  expect(unreadable("secret", cause)).toMatchObject({ code: "INPUT_UNREADABLE", message, cause });
});
