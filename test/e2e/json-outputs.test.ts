import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { buildCommandOutput, outputCommands, outputFileName } from "../../src/app/output-schemas.ts";
import { startPostgres, type PostgresService } from "../services.ts";
import { printDocuments, type PrintedDocument } from "./json-cases.ts";
import { makeProject, type Project } from "./project.ts";

let project: Project;
let printed: readonly PrintedDocument[];

let postgres: PostgresService;

beforeAll(async () => {
  postgres = await startPostgres();
  project = makeProject({ AMBIT_CLUSTER_URL: postgres.url });
  printed = await printDocuments(project, postgres.url);
}, 240_000);

afterAll(async () => {
  await project.remove();
  await postgres.stop();
});

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const text = readFileSync(`schema/output/${name}.json`, "utf8");
  const validate = new Ajv2020({ strictTypes: false, allErrors: true }).compile(JSON.parse(text));
  validators.set(name, validate);
  return validate;
}

function isError(document: unknown): boolean {
  return document !== null && typeof document === "object" && "error" in document && document.error !== null;
}

it("every command prints documents that are valid for their published schema", () => {
  const problems = printed.flatMap(({ command, words, document }) => {
    const validate = validatorOf(isError(document) ? "error" : outputFileName(command));
    if (validate(document)) return [];
    const [first] = validate.errors ?? [];
    return [`${command} ${words.join(" ")}: ${first?.instancePath ?? ""} ${first?.message ?? ""}`];
  });
  expect(problems).toEqual([]);
});

it("every command prints documents that are valid for the schema of its use case", async () => {
  const problems: string[] = [];
  for (const { command, words, document } of printed.filter((one) => !isError(one.document))) {
    const { error } = (await buildCommandOutput(command)).safeParse(document);
    if (error !== undefined) problems.push(`${command} ${words.join(" ")}: ${z.prettifyError(error)}`);
  }
  expect(problems).toEqual([]);
});

it("these tests have an answer of every command that is not an error", () => {
  const answered = new Set(
    printed.filter(({ document }) => !isError(document)).map(({ command }) => command),
  );
  const missing = outputCommands.filter((command) => !answered.has(command));
  const errors = printed
    .filter(({ command, document }) => missing.includes(command) && isError(document))
    .map(({ command, document }) => `${command}: ${JSON.stringify(document)}`);
  expect([missing, errors]).toEqual([[], []]);
});
