import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { buildJsonSchema, jsonSchemaNames, jsonSchemas } from "../../src/contract/json-schemas.ts";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

const SAMPLES = {
  "agent-return": {
    good: {
      status: "completed",
      summary: "Wrote the report.",
      artifacts: [{ type: "report", path: "specs/244_parser/reports/research-001.md" }],
      metadata: {
        session_id: "sess_1735460684_a1b2c3",
        agent_type: "researcher",
        delegation_depth: 1,
        delegation_path: ["orchestrator", "research", "researcher"],
      },
    },
    bad: [{ status: "finished", summary: "", artifacts: [], metadata: {} }, [], "completed"],
  },
  config: {
    good: { version: 1, delegation: { maxDepth: 3 } },
    bad: [{ delegation: { maxDepth: 4 } }, { delegation: { maxDeth: 2 } }, { version: 2 }],
  },
  "delegation-request": {
    good: { description: "Add input validation", estimated_hours: 3 },
    bad: [{}, { description: "Add input validation", estimated_hours: 0 }],
  },
  "todo-item": {
    good: { id: "fix-login", content: "Fix the login", activeForm: "Fixing the login", status: "pending" },
    bad: [{ id: "fix-login", content: "Fix the login", activeForm: "Fixing the login", status: "done" }, {}],
  },
  message: {
    good: { type: "clarification_request", task_id: "fix-login", question: "Which provider?" },
    bad: [{ type: "clarification_request", task_id: "fix-login" }, { type: "shout" }],
  },
  prd: {
    good: {
      project: "shop",
      branchName: "delegation/US-010-DEL-001",
      description: "Input validation",
      userStories: [
        {
          id: "US-010-DEL-001",
          title: "Validate input",
          description: "Check every field",
          acceptanceCriteria: ["All tests pass"],
          priority: 1,
          estimatedComplexity: "medium",
          passes: false,
        },
      ],
    },
    bad: [{ project: "shop", userStories: [{}] }, []],
  },
  template: {
    good: { title: "Release", summary: "Each release", parts: [{ description: "Write notes", hours: 2 }] },
    bad: [{ title: "Release" }, { title: "A", summary: "B", guidance: "C", depth: 9 }],
  },
  task: {
    good: { id: "244", number: 244, title: "Write the parser", status: "planned" },
    bad: [{ id: "244" }, { id: "244", title: "Write the parser", status: "done" }],
  },
  "journal-event": {
    good: {
      seq: 1,
      at: "2026-01-07T10:00:00.000Z",
      type: "note-added",
      story: "US-010",
      delegation: null,
      attempt: 0,
      data: { text: "noted" },
    },
    bad: [{ seq: 0 }, { type: "unknown-event" }],
  },
} as const;

it("these tests have a sample of every schema", () => {
  expect(Object.keys(SAMPLES).toSorted()).toStrictEqual(jsonSchemaNames.toSorted());
});

it("the published files are one per schema, and no other", () => {
  const files = readdirSync("schema", { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).toSorted()).toStrictEqual(
    jsonSchemaNames.map((name) => `${name}.json`).toSorted(),
  );
});

describe.each(jsonSchemaNames)("schema/%s.json", (name) => {
  const committed = readFileSync(`schema/${name}.json`, "utf8");

  it("matches the code; otherwise run `npm run schema`", () => {
    expect(committed).toBe(`${JSON.stringify(buildJsonSchema(name), null, 2)}\n`);
  });

  it("is a valid JSON Schema of draft 2020-12 for a strict validator", () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    const document: unknown = JSON.parse(committed);
    expect(document).toMatchObject({ $schema: DRAFT, $id: `urn:ambit:schema:${name}` });
    expect(ajv.validateSchema(Object(document))).toBe(true);
    expect(ajv.compile(Object(document))).toBeTypeOf("function");
  });
});

it("the schema of a return limits its summary to 500 characters, to protect the manager's context (R46, R36)", () => {
  expect(buildJsonSchema("agent-return")).toMatchObject({ properties: { summary: { maxLength: 500 } } });
});

describe.each(Object.entries(SAMPLES))("schema/%s.json and the validator agree", (name, { good, bad }) => {
  const ajv = new Ajv2020({ allowUnionTypes: true, validateFormats: false });
  const validate = ajv.compile(JSON.parse(readFileSync(`schema/${name}.json`, "utf8")));
  const schema = new Map(Object.entries(jsonSchemas)).get(name);

  it("on a valid document", () => {
    expect(schema?.safeParse(good).error).toBeUndefined();
    expect(validate(good), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(bad.map((value) => ({ value })))("on this invalid document: $value", ({ value }) => {
    expect(schema?.safeParse(value).success).toBe(false);
    expect(validate(value)).toBe(false);
  });
});
