import { build } from "esbuild";
import { expect, it } from "vitest";
import { DelegationError } from "../../src/base/delegation-error.ts";

const facts = { code: "USAGE", message: "no", recommendation: "Say it otherwise." };

it("an error is recognised even if another file of the build has its own copy of the class", async () => {
  const { outputFiles } = await build({
    entryPoints: ["src/base/delegation-error.ts"],
    bundle: true,
    format: "esm",
    write: false,
    minify: true,
  });
  const text = outputFiles[0]?.text ?? "";
  const copy: unknown = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const { DelegationError: Other } = Object(copy);
  expect(Other).not.toBe(DelegationError);
  expect(new Other(facts)).toBeInstanceOf(DelegationError);
  expect(new DelegationError(facts)).toBeInstanceOf(Other);
});

it("an object that only looks like the error is not taken for it", () => {
  expect(new Error("no")).not.toBeInstanceOf(DelegationError);
  expect(Object.assign(new Error("no"), { code: "USAGE" })).not.toBeInstanceOf(DelegationError);
  expect({ name: "DelegationError", ...facts, recoverable: false }).not.toBeInstanceOf(DelegationError);
  expect(new DelegationError(facts)).toBeInstanceOf(Error);
});
