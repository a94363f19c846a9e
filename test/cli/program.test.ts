import { describe, expect, it } from "vitest";
import { checkCases, checkErrorCases } from "./check-cases.ts";
import type { CommandCase, ErrorCase } from "./command-case.ts";
import {
  configCases,
  configErrorCases,
  directiveCases,
  directiveErrorCases,
  frameCases,
  frameErrorCases,
} from "./other-cases.ts";
import { runInProcess } from "./run-in-process.ts";
import { listFiles, temporaryFolder, temporaryRepository } from "./temporary-folder.ts";

const cases = [...checkCases, ...directiveCases, ...frameCases, ...configCases];
const errorCases = [...checkErrorCases, ...directiveErrorCases, ...frameErrorCases, ...configErrorCases];

describe.each(cases.map((one) => [one.args.join(" ").slice(0, 100), one] as const))("ambit %s", (_, one) => {
  it(`exits with ${one.exit} and answers in text`, async () => {
    const { exitCode, stdout, stderr } = await run(one, one.args);
    expect({ exitCode, stderr }).toStrictEqual({ exitCode: one.exit, stderr: "" });
    expect(`${stdout}\n`).toContain(one.text);
  });

  it("gives the same answer as one JSON document", async () => {
    const { exitCode, stdout } = await run(one, ["--json", ...one.args]);
    expect(exitCode).toBe(one.exit);
    expect(JSON.parse(stdout)).toMatchObject({ schema: "ambit/v1", ...one.json });
  });
});

describe.each(errorCases.map((one) => [one.args.join(" ").slice(0, 100), one] as const))(
  "refused: ambit %s",
  (_, one) => {
    it(`names ${one.code} and what to do next on stderr, ends with ${one.exit}, changes nothing`, async () => {
      const { exitCode, stdout, stderr } = await run(one, one.args);
      expect({ exitCode, stdout }).toStrictEqual({ exitCode: one.exit, stdout: "" });
      expect(stderr).toContain(one.text);
      expect(stderr).toMatch(new RegExp(`^✖ ${one.code}  \\S[^]*\n  next  \\S[^]*\n$`));
    });

    it("gives the same answer as one JSON document on stdout", async () => {
      const { exitCode, stdout, stderr } = await run(one, ["--json", ...one.args]);
      expect({ exitCode, stderr }).toStrictEqual({ exitCode: one.exit, stderr: "" });
      const document: unknown = JSON.parse(stdout);
      expect(document).toStrictEqual({
        schema: "ambit/v1",
        error: {
          code: one.code,
          message: expect.stringMatching(/\S/),
          recommendation: expect.stringMatching(/\S/),
          recoverable: false,
        },
      });
    });
  },
);

async function run(one: Omit<CommandCase, "json"> | ErrorCase, args: readonly string[]) {
  const directory = one.args.includes("config") ? temporaryRepository(one.files) : temporaryFolder(one.files);
  const before = listFiles(directory);
  const ending = await runInProcess(args, {
    directory,
    environment: { HOME: temporaryFolder(), ...one.environment },
    ...(one.input === undefined ? {} : { input: one.input }),
  });
  expect(listFiles(directory)).toStrictEqual(before);
  return ending;
}
