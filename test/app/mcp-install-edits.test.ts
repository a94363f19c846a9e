import * as fc from "fast-check";
import { parse, stripComments } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { removeJsonEntry, setJsonEntry } from "../../src/app/mcp-install/edit-json.ts";
import { removeTomlTable, setTomlTable } from "../../src/app/mcp-install/edit-toml.ts";
import { lineDiff } from "../../src/app/mcp-install/line-diff.ts";

const entry = { command: "ambit", args: ["mcp"] };
const path = ["mcpServers", "ambit"] as const;

const textOf = (edited: ReturnType<typeof setJsonEntry>): string => {
  if (edited.kind === "edited") return edited.text;
  throw new Error(`${edited.why} at ${edited.at}`);
};

/** Settings of a user, formatted as programs and people format them. */
const settings = fc
  .record({
    others: fc.dictionary(fc.string(), fc.jsonValue()),
    servers: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined }),
    indent: fc.constantFrom<number | string>(0, 1, 2, 4, "\t"),
    eol: fc.constantFrom("\n", "\r\n"),
    comment: fc.constantFrom("", " // note", " /* } */"),
  })
  .map(({ others, servers, indent, eol, comment }) => {
    const value = { ...others, ...(servers === undefined ? {} : { mcpServers: servers }) };
    if (servers === undefined) Reflect.deleteProperty(value, "mcpServers");
    // JSON strings contain no raw line ends, so a comment can precede each line end.
    const text = JSON.stringify(value, null, indent).replaceAll("\n", comment + eol);
    return { text, value: JSON.parse(JSON.stringify(value)) };
  });

describe("one entry of a JSON file", () => {
  it("is set and nothing else changes, whatever the file looks like", () => {
    fc.assert(
      fc.property(settings, ({ text, value }) => {
        const after = textOf(setJsonEntry(text, path, entry));
        const { mcpServers = {} } = value;
        expect(JSON.parse(stripComments(after))).toEqual({
          ...value,
          mcpServers: { ...mcpServers, ambit: entry },
        });
        expect(textOf(setJsonEntry(after, path, entry))).toBe(after);
      }),
    );
  });

  it("is removed, and the rest keeps its meaning", () => {
    fc.assert(
      fc.property(settings, ({ text, value }) => {
        const after = textOf(removeJsonEntry(textOf(setJsonEntry(text, path, entry)), path));
        expect(JSON.parse(stripComments(after))).toEqual({ ...value, mcpServers: without(value.mcpServers) });
        expect(textOf(removeJsonEntry(after, path))).toBe(after);
      }),
    );
  });

  it("is set and removed without a trace next to other entries and comments", () => {
    const one = '{\n  "mcpServers": {\n    "a": 1,\n    "b": {} // last\n  },\n  "z": 0\n}\n';
    const set = textOf(setJsonEntry(one, path, entry));
    expect(textOf(removeJsonEntry(set, path))).toBe(one);
    const first = '{"mcpServers": {"ambit": 1, "b": 2}}';
    expect(textOf(removeJsonEntry(first, path))).toBe('{"mcpServers": { "b": 2}}');
    const commented = '{\n  "mcpServers": {\n    // none yet\n  }\n}';
    expect(textOf(setJsonEntry(commented, path, 1))).toBe(
      '{\n  "mcpServers": {\n    // none yet\n    "ambit": 1\n  }\n}',
    );
  });

  it("is never added to an incomplete text", () => {
    fc.assert(
      fc.property(settings, fc.nat(), ({ text }, at) => {
        const cut = text.slice(0, at % text.length).trimEnd();
        fc.pre(cut !== "");
        expect(setJsonEntry(cut, path, entry).kind).toBe("broken");
      }),
    );
  });

  it("is either set or refused, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:/*\\ \n\ta1'.split("")) }), (text) => {
        const edited = setJsonEntry(text, path, entry);
        if (edited.kind === "edited") expect(parse(edited.text)).toHaveProperty("mcpServers.ambit");
      }),
    );
  });
});

const table = { command: "ambit", args: ["mcp"] };
const tomlPath = ["mcp_servers", "ambit"] as const;
const tomlValue = fc.constantFrom(
  "1",
  "-0.5e3",
  "true",
  "1979-05-27",
  "1979-05-27T07:32:00Z",
  "07:32:00",
  '"a # [b]"',
  String.raw`"a\"b"`,
  "'c:\\d'",
  '"""\n[mcp_servers.ambit]\n"""',
  '""""quoted""""',
  "'''\n'a'\n'''",
  "[ 1, [2, 3], # more\n ]",
  '{ a = 1, "b c" = [1] }',
  "[]",
  "{}",
);
const tomlText = fc
  .array(
    fc.record({
      name: fc.constantFrom("a", "b", "mcp_servers", 'projects."/x [y]"', "mcp_servers.other"),
      values: fc.array(tomlValue, { maxLength: 4 }),
      comment: fc.constantFrom("", " # = [x]"),
    }),
    { maxLength: 5 },
  )
  .map((tables) =>
    tables
      .map(({ name, values, comment }, index) =>
        [
          `[${name}${index === 0 ? "" : `.t${index}`}]${comment}`,
          ...values.map((value, number) => `k${number} = ${value}${comment}`),
          "",
        ].join("\n"),
      )
      .join("\n"),
  );

describe("one table of a TOML file", () => {
  it("is set and removed, and every other byte stays", () => {
    fc.assert(
      fc.property(tomlText, (text) => {
        const set = textOf(setTomlTable(text, tomlPath, table));
        expect(set.startsWith(text)).toBe(true);
        expect(parseToml(set)).toMatchObject({ mcp_servers: { ambit: table } });
        expect(textOf(setTomlTable(set, tomlPath, table))).toBe(set);
        expect(textOf(removeTomlTable(set, tomlPath))).toBe(text);
      }),
    );
  });

  it("is either set or refused, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."[]{}=\"'#.,\\ \n\ta1-".split("")) }), (text) => {
        const edited = setTomlTable(text, tomlPath, table);
        if (edited.kind === "edited")
          expect(parseToml(edited.text)).toMatchObject({ mcp_servers: { ambit: table } });
      }),
    );
  });
});

describe("the shown change", () => {
  it("contains every line that differs, with its context", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const [before, after] = [one, other].map((all) => all.map((line) => `${line}\n`).join(""));
        const [, , head = "", ...shown] = lineDiff("f", before ?? "", after ?? "").split("\n");
        const [from = 0, count = 0, , freshCount = 0] = (head.match(/\d+/g) ?? []).map(Number);
        const side = (mark: string) =>
          shown.filter((line) => line[0] === " " || line[0] === mark).map((line) => line.slice(1));
        expect(side("-")).toEqual(one.slice(Math.max(0, from - 1), Math.max(0, from - 1) + count));
        expect(side("+")).toHaveLength(freshCount);
        const start = Math.max(0, from - 1);
        expect([...one.slice(0, start), ...side("+"), ...one.slice(start + count)]).toEqual(other);
      }),
    );
  });
});

function without(servers: unknown): Record<string, unknown> {
  const rest = { ...Object(servers) };
  Reflect.deleteProperty(rest, "ambit");
  return rest;
}
