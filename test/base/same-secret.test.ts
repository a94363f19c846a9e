import { expect, it } from "vitest";
import { isSameSecret } from "../../src/base/same-secret.ts";

it("two secrets count as the same only if they are equal and not empty, whatever their length", () => {
  expect(isSameSecret("token", "token")).toBe(true);
  for (const given of ["", "tok", "token2", "Token"]) expect(isSameSecret(given, "token")).toBe(false);
  expect(isSameSecret("", "")).toBe(false);
});
