import { expect, it } from "vitest";
import { isSameSecret } from "../../src/base/same-secret.ts";

it("is true for equal secrets only, whatever their length, and never for an empty one", () => {
  expect(isSameSecret("token", "token")).toBe(true);
  for (const given of ["", "tok", "token2", "Token"]) expect(isSameSecret(given, "token")).toBe(false);
  expect(isSameSecret("", "")).toBe(false);
});
