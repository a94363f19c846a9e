import { describe, expect, it } from "vitest";
import { hasJsonObject, removeJsonEntry, setJsonEntry } from "../../src/app/mcp-install/edit-json.ts";
import { removeTomlTable, setTomlTable } from "../../src/app/mcp-install/edit-toml.ts";
import { lineDiff } from "../../src/app/mcp-install/line-diff.ts";

const entry = { command: "ambit", args: ["mcp"] };
const path = ["mcpServers", "ambit"] as const;
const set = (text: string, value: unknown = entry) => setJsonEntry(text, path, value);
const edited = (text: string): object => ({ kind: "edited", text });
const broken = (at: number, why: string): object => ({ kind: "broken", at, why });

describe("one entry of a JSON file", () => {
  it.each(["", " \n", "\u{feff}"])("makes the file if there is nothing in it: %j", (text) => {
    const whole = `{
  "mcpServers": {
    "ambit": {
      "command": "ambit",
      "args": [
        "mcp"
      ]
    }
  }
}
`;
    expect(set(text)).toEqual(edited(whole));
    expect(removeJsonEntry(text, path)).toEqual(edited(text));
  });

  it("replaces another value in its place, in the form of the file", () => {
    const before =
      '\u{feff}{\r\n\t"mcpServers": {\r\n\t\t"ambit": {"command": "old"}, // mine\r\n\t\t"b": 1\r\n\t}\r\n}';
    const printed = '{\r\n\t\t\t"command": "ambit",\r\n\t\t\t"args": [\r\n\t\t\t\t"mcp"\r\n\t\t\t]\r\n\t\t}';
    expect(set(before)).toEqual(edited(before.replace('{"command": "old"}', () => printed)));
    const same = '{"mcpServers": {"ambit": {"args": ["mcp"], "command": "ambit"}}}';
    expect(set(same)).toEqual(edited(same));
    expect(set('{"mcpServers": {"ambit": 1}}', 2)).toEqual(edited('{"mcpServers": {"ambit": 2}}'));
  });

  it("is added to a file that begins with a byte order mark, which stays the only one", () => {
    expect(set("\u{feff}{}", 2)).toEqual(edited('\u{feff}{\n  "mcpServers": {\n    "ambit": 2\n  }\n}'));
  });

  it("is added in the form that its neighbours have", () => {
    const inTabs = '{\r\n\t"mcpServers": {}\r\n}';
    const printed = '{\r\n\t\t"ambit": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}';
    expect(set(inTabs, { command: "x" })).toEqual(edited(inTabs.replace("{}", printed)));
    expect(set('{\n  "mcpServers": {"b": 1}\n}', entry)).toEqual(
      edited('{\n  "mcpServers": {"b": 1, "ambit": {"command":"ambit","args":["mcp"]}}\n}'),
    );
    expect(set('{\n    "mcpServers": {\n      "b": 1\n    }\n}', 2)).toEqual(
      edited('{\n    "mcpServers": {\n      "b": 1,\n      "ambit": 2\n    }\n}'),
    );
    expect(set('{"mcpServers": {"b": 1\n}}', 2)).toEqual(edited('{"mcpServers": {"b": 1,\n  "ambit": 2\n}}'));
    expect(set('{\n"a": 1\n}', 2)).toEqual(edited('{\n"a": 1,\n"mcpServers": {\n  "ambit": 2\n}\n}'));
  });

  it("is added with the comma that its neighbour has or lacks", () => {
    expect(set('{"mcpServers": {"b": 1}}', 2)).toEqual(edited('{"mcpServers": {"b": 1, "ambit": 2}}'));
    expect(set('{"mcpServers": {"b": 1,}}', 2)).toEqual(edited('{"mcpServers": {"b": 1, "ambit": 2,}}'));
    expect(set('{"mcpServers": {}}', 2)).toEqual(edited('{"mcpServers": {\n  "ambit": 2\n}}'));
    expect(set('{\n    "mcpServers": {\n        "b": 1 // last\n    }\n}', 2)).toEqual(
      edited('{\n    "mcpServers": {\n        "b": 1, // last\n        "ambit": 2\n    }\n}'),
    );
    expect(set('{\n    "mcpServers": {\n        "b": 1,\n    }\n}', 2)).toEqual(
      edited('{\n    "mcpServers": {\n        "b": 1,\n        "ambit": 2,\n    }\n}'),
    );
    expect(set('{\n "a": 1\n}', 2)).toEqual(edited('{\n "a": 1,\n "mcpServers": {\n  "ambit": 2\n }\n}'));
  });

  it.each([
    ['{\n  "mcpServers": {\n    "a": 1,\n    "ambit": 2\n  }\n}', '{\n  "mcpServers": {\n    "a": 1\n  }\n}'],
    ['{\n  "mcpServers": {\n    "ambit": 2,\n    "a": 1\n  }\n}', '{\n  "mcpServers": {\n    "a": 1\n  }\n}'],
    ['{\n  "mcpServers": {\n    "ambit": 2\n  }\n}', '{\n  "mcpServers": {\n  }\n}'],
    [
      '{\n  "mcpServers": {\n    "a": 1,\n    "ambit": 2 // note\n  }\n}',
      '{\n  "mcpServers": {\n    "a": 1 // note\n  }\n}',
    ],
    ['{"mcpServers": {"a": 1, "ambit": 2}}', '{"mcpServers": {"a": 1}}'],
    ['{"mcpServers": {"ambit": 2}}', '{"mcpServers": {}}'],
    ['{"mcpServers": {"ambit": 2 /* mine */ , "a": 1}}', '{"mcpServers": { "a": 1}}'],
    ['{"mcpServers": {"a": 1, "ambit": 2\n}}', '{"mcpServers": {"a": 1\n}}'],
    ['{\r\n"mcpServers": {\r\n"ambit": 2, \r\n"a": 1\r\n}}', '{\r\n"mcpServers": {\r\n"a": 1\r\n}}'],
    ['{"mcpServers": {"a": 1, "ambit": 2,}}', '{"mcpServers": {"a": 1, }}'],
    ['{"mcpServers": {"a": 1}}', '{"mcpServers": {"a": 1}}'],
    ['{"other": 1}', '{"other": 1}'],
  ])("is removed with its line and one comma: %j", (before, after) => {
    expect(removeJsonEntry(before, path)).toEqual(edited(after));
  });

  it.each([
    ["[]", 0, "the file is not an object"],
    ["7", 0, "the file is not an object"],
    ['{"mcpServers": 7}', 15, '"mcpServers" is not an object'],
    ['{"mcpServers": {"ambit": 1, "ambit": 2}}', 28, '"ambit" is there twice'],
    ['{"mcpServers": {}, "mcpServers": {}}', 19, '"mcpServers" is there twice'],
    ['{"a" 1}', 5, "colon expected"],
    ['{"a": 1 "b": 2}', 8, "comma expected"],
    [`${"[".repeat(201)}${"]".repeat(201)}`, 200, "it is nested too deeply"],
  ])("is refused with the place and the reason: %.40s", (text, at, why) => {
    expect(set(text)).toEqual(broken(at, why));
    expect(removeJsonEntry(text, path)).toEqual(broken(at, why));
    expect(hasJsonObject(text, path)).toBe(false);
  });

  it("may be nested as deeply as the limit", () => {
    const deep = `{"a": ${"[".repeat(199)}${"]".repeat(199)}}`;
    expect(set(deep).kind).toBe("edited");
    expect(set(`{"a": [${deep}]}`).kind).toBe("broken");
  });

  it("may stand at the top of the file, and the last line may have no end", () => {
    expect(setJsonEntry('{\n  "ambit": 1}', ["ambit"], 2)).toEqual(edited('{\n  "ambit": 2}'));
    expect(removeJsonEntry('{\n  "ambit": 1}', ["ambit"])).toEqual(edited("{\n  }"));
  });

  it("may have any number of neighbours", () => {
    const many = `{"a": [${"{}, [], ".repeat(200)}0]}`;
    expect(set(many, 2)).toEqual(edited(`${many.slice(0, -1)}, "mcpServers": {"ambit":2}}`));
  });

  it("is an object, or not", () => {
    expect(hasJsonObject('{"mcpServers": {"ambit": {}}}', path)).toBe(true);
    for (const text of ['{"mcpServers": {"ambit": 1}}', '{"mcpServers": {}}', "{}"])
      expect(hasJsonObject(text, path)).toBe(false);
  });
});

describe("one table of a TOML file", () => {
  const tomlPath = ["mcp_servers", "ambit"] as const;
  const setToml = (text: string) => setTomlTable(text, tomlPath, entry);
  const block = '[mcp_servers.ambit]\ncommand = "ambit"\nargs = ["mcp"]';
  const why = "mcp_servers.ambit is written in a form that cannot be edited here";

  it("is added at the end, a line apart", () => {
    expect(setToml("")).toEqual(edited(`${block}\n`));
    expect(setToml("a = 1\n")).toEqual(edited(`a = 1\n\n${block}\n`));
    expect(setToml("a = 1")).toEqual(edited(`a = 1\n\n${block}\n`));
    expect(setToml("a = 1\r\n")).toEqual(edited(`a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}\r\n`));
  });

  it.each(["[mcp_servers.ambit]", '  [ mcp_servers . "ambit" ] # mine', "['mcp_servers'.ambit]"])(
    "replaces another one in its place: %s",
    (header) => {
      const rest = "\n# about b\n[b]\nx = 1\n";
      const after = `a = 1\n${block}\n${rest}`;
      expect(setToml(`a = 1\n${header}\ncommand = "old"\nargs = [\n[1]]\n${rest}`)).toEqual(edited(after));
      expect(setToml(after)).toEqual(edited(after));
      expect(removeTomlTable(after, tomlPath)).toEqual(edited(`a = 1\n${rest}`));
    },
  );

  it("keeps the tables below it, which are removed with it", () => {
    const below = "\n[mcp_servers.ambit.env]\nKEY = 'x'\n";
    const before = `[mcp_servers.ambit]\ncommand = "old"\n${below}`;
    expect(setToml(before)).toEqual(edited(`${block}\n${below}`));
    expect(removeTomlTable(`a = 1\n\n${before}`, tomlPath)).toEqual(edited("a = 1\n"));
    expect(removeTomlTable("a = 1\n", tomlPath)).toEqual(edited("a = 1\n"));
  });

  it.each([
    "mcp_servers.ambit.command = 'x'\n",
    "mcp_servers = { ambit = { command = 'x' } }\n",
    "[mcp_servers]\nambit = { command = 'x' }\n",
    "[[mcp_servers.ambit]]\ncommand = 'x'\n",
    "  [[mcp_servers.ambit]]\ncommand = 'x'\n",
  ])("is refused in another form: %j", (text) => {
    expect(setToml(text)).toEqual(broken(0, why));
  });

  it("is not added below a list, of which it would become a part", () => {
    expect(setToml("[[mcp_servers]]\nname = 'x'\n")).toEqual(broken(0, why));
  });

  it.each([
    `mcp_servers.ambit.command = "ambit"\nmcp_servers.ambit.args = ["mcp"]\n`,
    `[mcp_servers]\nambit = { command = "ambit", args = ["mcp"] }\n`,
    "[mcp_servers.ambit]\nargs = [ 'mcp' ] # mine\ncommand = 'ambit'\n",
  ])("is left alone if it has the values already, in any form: %j", (text) => {
    expect(setToml(text)).toEqual(edited(text));
  });

  it("is not removed in another form", () => {
    for (const text of ["mcp_servers.ambit.command = 'x'\n", "[mcp_servers]\nambit = { command = 'x' }\n"])
      expect(removeTomlTable(text, tomlPath)).toEqual(broken(0, why));
  });

  it("is added to the tables below it, where only they are there", () => {
    const below = "[mcp_servers.ambit.env]\nKEY = 'x'\n";
    expect(setToml(below)).toEqual(edited(`${below}\n${block}\n`));
  });

  it("may hold brackets and comments, and stand before an indented table", () => {
    const commented = "[mcp_servers.ambit]\n# [note]\ncommand = 'old'\n";
    expect(setToml(`${commented}  [b]\n  x = 1\n`)).toEqual(edited(`${block}\n  [b]\n  x = 1\n`));
    expect(setTomlTable("", tomlPath, { command: "/opt/[ x ] y" })).toEqual(
      edited('[mcp_servers.ambit]\ncommand = "/opt/[ x ] y"\n'),
    );
  });

  it("is removed with the blank line that separated it", () => {
    const remove = (text: string) => removeTomlTable(text, tomlPath);
    expect(remove(block)).toEqual(edited(""));
    expect(remove(`a = 1\n\n${block}`)).toEqual(edited("a = 1\n"));
    expect(remove(`a = 1\n\n${block}\n\n[b]\n`)).toEqual(edited("a = 1\n\n[b]\n"));
    expect(remove(`a = 1\n\n${block}\n[b]\n`)).toEqual(edited("a = 1\n\n[b]\n"));
    expect(remove(`a = 1\n\n${block}\n# b\n\n[b]\n`)).toEqual(edited("a = 1\n\n# b\n\n[b]\n"));
    const windows = `a = 1\n\n${block}\n\n[b]\n`.replaceAll("\n", "\r\n");
    expect(remove(windows)).toEqual(edited("a = 1\r\n\r\n[b]\r\n"));
  });

  it.each([
    ["b = \n", 4],
    ["\u{feff}b = \n", 5],
    ["a = 1\nb = \n", 10],
    ["a = 1\r\nb = \r\n", 11],
  ])("is refused in a broken file, with the place: %j", (text, at) => {
    const refusal = broken(at, "Invalid TOML document: invalid value");
    expect(setToml(text)).toEqual(refusal);
    expect(removeTomlTable(text, tomlPath)).toEqual(refusal);
  });
});

describe("the shown change", () => {
  const lines = (...all: readonly (number | string)[]): string => all.map((line) => `${line}\n`).join("");

  it("has three lines around it, and its place in both texts", () => {
    const diff = lineDiff("f", lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, "five", 6, 7, 8, 9));
    expect(diff.split("\n")).toEqual([
      "--- f",
      "+++ f",
      "@@ -2,7 +2,7 @@",
      " 2",
      " 3",
      " 4",
      "-5",
      "+five",
      " 6",
      " 7",
      " 8",
    ]);
    const grown = lineDiff("f", lines(1, 1), lines(1, 1, 1));
    expect(grown.split("\n").slice(2)).toEqual(["@@ -1,2 +1,3 @@", " 1", " 1", "+1"]);
  });

  it("names a file that is made or removed, and marks a text without a line end", () => {
    expect(lineDiff("f", undefined, lines("a")).split("\n")).toEqual([
      "--- /dev/null",
      "+++ f",
      "@@ -0,0 +1,1 @@",
      "+a",
    ]);
    expect(lineDiff("f", lines("a"), undefined).split("\n")).toEqual([
      "--- f",
      "+++ /dev/null",
      "@@ -1,1 +0,0 @@",
      "-a",
    ]);
    expect(lineDiff("f", "", "a").split("\n").slice(2)).toEqual([
      "@@ -0,0 +1,1 @@",
      "+a\u2424 (no line end)",
    ]);
    expect(lineDiff("f", lines("a", "b"), "a\nb").split("\n").slice(3)).toEqual([
      " a",
      "-b",
      "+b\u2424 (no line end)",
    ]);
  });

  it("shortens long lines", () => {
    const [exact, long] = ["x".repeat(399), "y".repeat(400)];
    expect(lineDiff("f", "", lines(exact, long)).split("\n").slice(3)).toEqual([
      `+${exact}`,
      `+${long.slice(1)}… (401 characters)`,
    ]);
  });
});
