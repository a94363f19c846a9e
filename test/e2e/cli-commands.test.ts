import { describe, expect, it } from "vitest";
import { checkCases, checkErrorCases } from "../cli/check-cases.ts";
import type { CommandCase, ErrorCase } from "../cli/command-case.ts";
import {
  configCases,
  configErrorCases,
  directiveCases,
  directiveErrorCases,
  frameCases,
  frameErrorCases,
} from "../cli/other-cases.ts";
import { listFiles, temporaryFolder, temporaryRepository } from "../cli/temporary-folder.ts";
import { runCli, type CliResult } from "./run-cli.ts";

const cases = [...checkCases, ...directiveCases, ...frameCases, ...configCases];
const allErrorCases = [...checkErrorCases, ...directiveErrorCases, ...frameErrorCases, ...configErrorCases];
/** One for each message; the variants run in the process of their own tests. */
const errorCases = [...new Map(allErrorCases.map((one) => [one.text, one])).values()];

// The checks and parsers of the sources as commands (R9, R130, R131), over the limits R10–R14 and R17 with the texts of
// R61–R65 and R69, sessions R24, ranges R138, returns R32, R36, R52, R53 and R57, task lists R67, R161 and R163,
// descriptions R116–R118, and the rules C2–C4, C7, C20, C25, C28 and C29.
describe("the built binary answers", () => {
  it.each(cases.map((one) => [one.args.join(" ").slice(0, 100), one] as const))(
    "ambit %s (R9, R130, R131)",
    async (_, one) => {
      const { status, stdout, stderr } = await run(one, ["--json", ...one.args]);
      expect({ status, stderr }).toStrictEqual({ status: one.exit, stderr: "" });
      expect(stdout.endsWith("}\n")).toBe(true);
      expect(JSON.parse(stdout)).toMatchObject({ schema: "ambit/v1", ...one.json });
    },
  );
});

describe("the built binary refuses, and writes nothing", () => {
  it.each(errorCases.map((one) => [one.args.join(" ").slice(0, 100), one] as const))(
    "ambit %s",
    async (_, one) => {
      const { status, stdout, stderr } = await run(one, one.args);
      expect({ status, stdout }).toStrictEqual({ status: one.exit, stdout: "" });
      expect(stderr).toContain(one.text);
      expect(stderr).toMatch(new RegExp(`^✖ ${one.code}  \\S[^]*\n  next  \\S[^]*\n$`));
    },
  );
});

async function run(one: Omit<CommandCase, "json"> | ErrorCase, args: readonly string[]): Promise<CliResult> {
  const directory = one.args.includes("config") ? temporaryRepository(one.files) : temporaryFolder(one.files);
  const home = temporaryFolder();
  const before = [listFiles(directory), listFiles(home)];
  const result = await runCli(args, {
    directory,
    home,
    ...(one.environment === undefined ? {} : { environment: one.environment }),
    ...(one.input === undefined ? {} : { input: one.input }),
  });
  expect([listFiles(directory), listFiles(home)]).toStrictEqual(before);
  return result;
}
