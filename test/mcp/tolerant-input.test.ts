import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { describeInput } from "../../src/mcp/tools/tool-schema.ts";
import { tolerate } from "../../src/mcp/tools/tolerant-input.ts";
import { tools } from "../../src/mcp/tools/tool-list.ts";

const schemaOf = (name: string) =>
  tools.find((tool) => tool.name === name)?.input ?? describeInput(z.object({}));

describe("the input that a model sends is read as meant (C34)", () => {
  const input = schemaOf("delegate");
  const meant = { tasks: [{ description: "Do it", accept: ["`npm test` passes"], budget_usd: 0.5 }] };
  it.each([
    ["as the schema says", meant],
    [
      "null for absent",
      { tasks: [{ ...meant.tasks[0], agent: null, file_scope: null }], wait_seconds: null },
    ],
    ["numbers as text", { tasks: [{ ...meant.tasks[0], budget_usd: " 0.5 " }] }],
    ["a list as JSON text", { tasks: JSON.stringify(meant.tasks) }],
    ["entries as JSON text", { tasks: [JSON.stringify(meant.tasks[0])] }],
    ["one object for a list", { tasks: meant.tasks[0] }],
    ["one text for a list", { tasks: [{ ...meant.tasks[0], accept: "`npm test` passes" }] }],
    ["a list of texts as JSON text", { tasks: [{ ...meant.tasks[0], accept: '["`npm test` passes"]' }] }],
    ["the fields of one task alone", meant.tasks[0]],
    ["everything as JSON text", JSON.stringify(meant)],
  ])("%s", (_, sent) => {
    expect(tolerate(input, sent)).toStrictEqual(meant);
  });

  it("with booleans and numbers as text, and with unreadable values passed on unchanged", () => {
    const schema = describeInput(
      z.object({
        on: z.boolean(),
        count: z.int(),
        name: z.string(),
        list: z.array(z.string()),
        cost: z.number(),
      }),
    );
    expect(
      tolerate(schema, { on: "true", count: "3", name: 7, list: ["a", null], cost: "1.5" }),
    ).toStrictEqual({
      on: true,
      count: 3,
      name: "7",
      list: ["a"],
      cost: 1.5,
    });
    const odd = { on: "yes", count: "0x10", cost: "1e9", list: 5, other: { a: null } };
    expect(tolerate(schema, odd)).toStrictEqual(odd);
    expect(tolerate(schema, { on: "False", name: "[not json" })).toStrictEqual({
      on: false,
      name: "[not json",
    });
  });

  it("with a field of the call kept apart from the fields of a task", () => {
    const sent = { description: "Do it", wait_seconds: "5" };
    expect(tolerate(input, sent)).toStrictEqual({ tasks: [{ description: "Do it" }], wait_seconds: 5 });
    expect(tolerate(input, { wait_seconds: 5 })).toStrictEqual({ wait_seconds: 5 });
    expect(tolerate(input, { tasks: [], description: "x" })).toStrictEqual({ tasks: [], description: "x" });
    const returned = { status: "completed", summary: "Yes.", artifacts: [] };
    expect(tolerate(schemaOf("submit_return"), returned)).toStrictEqual(returned);
  });

  it("without an error, into an object, for any input and every tool", () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 4 });
    fc.assert(
      fc.property(anything, fc.constantFrom(...tools), (sent, tool) => {
        const read = tolerate(tool.input, sent);
        expect(Object.prototype.toString.call(read)).toBe("[object Object]");
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
      }),
    );
    expect(Object.keys(tolerate(input, JSON.parse('{"__proto__": {"admin": true}}')))).toStrictEqual([
      "__proto__",
    ]);
  });

  it("without a change if it is already correct", () => {
    const task = fc.record(
      {
        description: fc.string(),
        accept: fc.array(fc.string()),
        budget_usd: fc.double({ noNaN: true, min: 0 }),
      },
      { requiredKeys: ["description"] },
    );
    fc.assert(
      fc.property(fc.array(task), (tasks) => {
        expect(tolerate(input, { tasks })).toStrictEqual({ tasks: tasks.map((one) => ({ ...one })) });
      }),
    );
  });
});

describe("the list of tools", () => {
  it("has at most 15 tools, and short descriptions", () => {
    expect(tools.length).toBeLessThanOrEqual(15);
    for (const { description, name } of tools)
      expect(`${name} ${description.length}`).toMatch(
        /^\w+ \d{1,2}$|^delegate 1[0-4]\d$|^submit_return \d{2}$/,
      );
    expect(JSON.stringify(tools).length).toBeLessThan(7500);
  });
});
