import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { taskStatuses } from "../../src/contract/task-status.ts";
import { editMembers, editListElements } from "../../src/tasks/json/edit-json.ts";
import { findMemberValue, parseJsonTree } from "../../src/tasks/json/json-tree.ts";
import { editEntryField } from "../../src/tasks/markdown/edit-entry.ts";
import { applyEdits } from "../../src/tasks/markdown/lines.ts";
import { parseTodo } from "../../src/tasks/markdown/parse-todo.ts";
import { findValueSpan, readTodoValues } from "../../src/tasks/markdown/todo-values.ts";
import { parseNumberSet, renderNumberSet } from "../../src/tasks/model/number-set.ts";
import { makeTitleSlug } from "../../src/tasks/model/slug.ts";
import { makeProject } from "./task-project.ts";

/** Lines as people write them between and inside entries. */
const proseLine = fc.constantFrom(
  "",
  "Some words.",
  "- a point",
  "  > quoted [PLANNED] text",
  "| a | b |",
  "**Note**: not a task [x](y)",
  "```",
  "#### deeper",
  "<!-- hidden -->",
  "~~~",
  "---",
  "    ### 9. code",
);

const entry = fc.record({
  title: fc.constantFrom("One", "Two words", "[link](x)", "Ünïcode ✓", ""),
  bullet: fc.constantFrom("- ", "* ", ""),
  status: fc.constantFrom("[PLANNED]", "[NOT STARTED] (soon)", "planned", "[x](y) [BLOCKED]", "[PR READY]"),
  body: fc.array(proseLine, { maxLength: 5 }),
});

const document = fc
  .record({
    head: fc.array(proseLine, { maxLength: 4 }),
    entries: fc.array(entry, { minLength: 1, maxLength: 4 }),
    eol: fc.constantFrom("\n", "\r\n"),
    isOpen: fc.boolean(),
  })
  .map(({ head, entries, eol, isOpen }) => {
    const lines = [...head, "", "## Tasks", ""];
    for (const [index, { title, bullet, status, body }] of entries.entries()) {
      lines.push(
        `### ${index + 1}. ${title}`,
        `${bullet}**Status**: ${status}`,
        `${bullet}**Priority**: low`,
        "",
        ...body,
        "",
      );
    }
    return lines.join(eol) + (isOpen ? "" : eol);
  });

describe("TODO.md", () => {
  it("keeps every byte outside an edited field, and reads the new value back (R135)", () => {
    fc.assert(
      fc.property(document, fc.constantFrom(...taskStatuses), fc.nat(), (text, status, pick) => {
        const parsed = parseTodo(text, "TODO.md");
        const entries = [...parsed.entries.values()];
        const chosen = entries[pick % Math.max(entries.length, 1)];
        if (chosen === undefined) return;
        const span = findValueSpan(parsed, chosen, "status");
        const edited = applyEdits(text, editEntryField(parsed, chosen, { field: "status", value: status }));
        const again = parseTodo(edited, "TODO.md");
        const found = again.entries.get(chosen.id);
        expect(found && readTodoValues(again, found).status).toBe(status);
        expect(edited.startsWith(text.slice(0, span?.start))).toBe(true);
        expect(edited.endsWith(text.slice(span?.end))).toBe(true);
        expect([...again.entries.keys()]).toEqual([...parsed.entries.keys()]);
      }),
    );
  });

  it("is read within five seconds if it is half a megabyte of hostile text", () => {
    const hostile = [
      "```\n~~~~\n```` \n".repeat(20_000),
      "<!--\n".repeat(50_000),
      "### 1. x\n".repeat(1),
    ].join("");
    const started = performance.now();
    parseTodo(hostile, "TODO.md");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("state.json", () => {
  const value = fc.jsonValue({ maxDepth: 2 });
  const layout = fc.constantFrom<string | number | undefined>(2, 4, "\t", undefined);

  it("changes only the members that are set (R134)", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), value),
        layout,
        fc.string(),
        value,
        (object, space, key, next) => {
          const text = `${JSON.stringify(object, null, space)}\n`;
          const root = parseJsonTree(text, "state.json");
          const edited = applyEdits(text, editMembers(text, root, new Map([[key, next]])));
          const expected: unknown = JSON.parse(
            JSON.stringify({ ...object, ...Object.fromEntries([[key, next]]) }),
          );
          expect(JSON.parse(edited)).toEqual(expected);
        },
      ),
    );
  });

  it("removes members and keeps the bytes of the others (R134)", () => {
    const member = fc.tuple(fc.string(), value, fc.constantFrom("", " ", "\n  ", "\r\n\t"), fc.boolean());
    const members = fc.uniqueArray(member, { maxLength: 6, selector: ([key]) => key });
    fc.assert(
      fc.property(members, (list) => {
        const write = ([key, content, space]: (typeof list)[number]): string =>
          `${space}${JSON.stringify(key)}${space}:${space}${JSON.stringify(content)}`;
        const text = `{${list.map(write).join(",")}}`;
        const removed = list.filter(([, , , isRemoved]) => isRemoved);
        const changes = new Map(removed.map(([key]) => [key, undefined]));
        const edited = applyEdits(text, editMembers(text, parseJsonTree(text, "state.json"), changes));
        const kept = list.filter(([, , , isRemoved]) => !isRemoved);
        expect(JSON.parse(edited)).toEqual(
          JSON.parse(JSON.stringify(Object.fromEntries(kept.map(([key, content]) => [key, content])))),
        );
        for (const one of kept) expect(edited).toContain(write(one).trim());
      }),
    );
  });

  it("uses the last of two equal keys, as parsers do", () => {
    const text = '{ "a": 1, "b": 2, "a": 3 }';
    const root = parseJsonTree(text, "state.json");
    expect(applyEdits(text, editMembers(text, root, new Map([["a", 4]])))).toBe('{ "a": 1, "b": 2, "a": 4 }');
    expect(applyEdits(text, editMembers(text, root, new Map([["a", undefined]])))).toBe('{ "b": 2 }');
  });

  it("refuses a file that is nested too deeply to be edited", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000);
    expect(() => parseJsonTree(text, "state.json")).toThrow("nested too deeply");
  });

  it("removes list elements and adds others, and keeps the rest unchanged (R134)", () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        layout,
        fc.array(fc.nat(6)),
        fc.array(value, { maxLength: 2 }),
        fc.boolean(),
        (list, space, out, added, isAtStart) => {
          const text = JSON.stringify({ list }, null, space);
          const root = parseJsonTree(text, "state.json");
          const removed = new Set(out.filter((index) => index < list.length));
          const edits = editListElements(text, findMemberValue(root, "list") ?? root, {
            removed,
            added,
            isAtStart,
          });
          const edited = applyEdits(text, edits);
          const kept = list.filter((_, index) => !removed.has(index));
          const expected = isAtStart ? [...added, ...kept] : [...kept, ...added];
          expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify({ list: expected })));
          if (removed.size === 0 && added.length === 0) expect(edited).toBe(text);
        },
      ),
    );
  });
});

describe("small properties that hold for every input", () => {
  it("a set of numbers survives a round trip", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 500 })), (numbers) => {
        expect([...parseNumberSet(renderNumberSet(numbers))].toSorted((a, b) => a - b)).toEqual(
          numbers.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("a slug is one plain folder name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (title) => {
        expect(makeTitleSlug(title)).toMatch(/^[a-z0-9](?:[a-z0-9_]{0,49})$/);
      }),
    );
  });
});

describe("any sequence of changes", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("create" as const),
      title: fc.constantFrom("One", "Two [PLANNED]", "### 5. Five", "- **Status**: [COMPLETED]"),
    }),
    fc.record({
      kind: fc.constant("status" as const),
      id: fc.integer({ min: 1, max: 6 }),
      status: fc.constantFrom(...taskStatuses),
    }),
    fc.record({
      kind: fc.constant("describe" as const),
      id: fc.integer({ min: 1, max: 6 }),
      text: fc.constantFrom("a\n\n### 7. Evil\n- **Status**: [COMPLETED]", "```", "<!--", "plain"),
    }),
    fc.record({
      kind: fc.constantFrom("abandon" as const, "recover" as const),
      id: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ kind: fc.constant("divide" as const), id: fc.integer({ min: 1, max: 6 }) }),
  );

  it(
    "keeps both files and the journal in agreement, and gives no number twice (R139)",
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
          const project = makeProject();
          const given: string[] = [];
          for (const next of steps) {
            if (next.kind === "create")
              given.push(...(await project.store.create({ title: next.title })).taskIds);
            else if (next.kind === "status") await project.store.updateStatus(next.id, next.status);
            else if (next.kind === "describe")
              await project.store.updateMetadata(next.id, { description: next.text });
            else if (next.kind === "divide") {
              const divided = await project.store.divide(next.id, { subtasks: [{ title: "Part" }] });
              given.push(...(divided.division?.subtasks ?? []));
            } else await project.store[next.kind](next.id);
          }
          expect(project.disagreements()).toEqual([]);
          expect(new Set(given).size).toBe(given.length);
        }),
        { numRuns: 25 },
      );
    },
  );
});
