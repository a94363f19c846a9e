import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writePasses } from "../../../src/app/prd/write-passes.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ambit-prd-"));
  file = join(folder, "prd.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function pass(text: string, id: string): { readonly problem: string | undefined; readonly text: string } {
  writeFileSync(file, text);
  return { problem: writePasses(file, id), text: readFileSync(file, "utf8") };
}

describe("the field passes of a story in its file (R132)", () => {
  it("is set to true, and every other byte stays", () => {
    const text = '{ "userStories": [{"id":"A","passes":  false}, {"id":"B"}],   "x": 1 }';
    expect(pass(text, "A")).toEqual({ problem: undefined, text: text.replace("false", "true") });
    const added = text.replace('"id":"B"', '"id":"B","passes": true');
    expect(pass(text, "B")).toEqual({ problem: undefined, text: added });
  });

  it("is added with the line ends and the indentation of the file", () => {
    const lines = ["{", '  "userStories": [', "    {", '      "id": "A"', "    }", "  ]", "}", ""];
    const expected = lines.flatMap((line) =>
      line.includes('"id"') ? [`${line},`, '      "passes": true'] : [line],
    );
    expect(pass(lines.join("\n"), "A").text).toBe(expected.join("\n"));
    expect(pass(lines.join("\r\n"), "A").text).toBe(expected.join("\r\n"));
  });

  it.each(["\t", " ", "    "])("is added with an indentation of %j", (indent) => {
    const write = (fields: object): string =>
      JSON.stringify({ userStories: [{ id: "A", notes: [1], ...fields }, { id: "B" }] }, null, indent);
    expect(pass(write({}), "A").text).toBe(write({ passes: true }));
  });

  it("is added without a change of the lines around it", () => {
    const text = '{"userStories": [\n{"id": "A",\n "title":   "x"   }\n]}';
    expect(pass(text, "A").text).toBe(text.replace('"x"', '"x",\n "passes": true'));
  });

  it("is set behind a link, and the file keeps its mode", () => {
    writeFileSync(file, '{"userStories":[{"id":"A"}]}');
    chmodSync(file, 0o640);
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    expect(writePasses(link, "A")).toBeUndefined();
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toContain('"passes": true');
    expect(statSync(file).mode % 0o1000).toBe(0o640);
  });

  it("is not written again if it is already true", () => {
    writeFileSync(file, '{"userStories":[{"id":"A","passes":true}]}');
    utimesSync(file, 1, 1);
    expect(writePasses(file, "A")).toBeUndefined();
    expect(statSync(file).mtimeMs).toBe(1000);
  });

  it("is left alone if it is already true, and a missing story is reported", () => {
    const text = '{"userStories":[{"id":"A","passes":true}]}';
    expect(pass(text, "A")).toEqual({ problem: undefined, text });
    expect(pass(text, "B")).toEqual({ problem: `B is no longer in ${file}`, text });
    expect(pass('{"userStories":{}}', "A").problem).toBe(`A is no longer in ${file}`);
    expect(pass("[]", "A").problem).toBe(`A is no longer in ${file}`);
    expect(pass('{"userStories":[null,"A"]}', "A").problem).toBe(`A is no longer in ${file}`);
  });

  it("is not set in a file that cannot be read, and the problem is reported", () => {
    expect(pass("{", "A").problem).not.toBe(undefined);
    expect(writePasses(join(folder, "none.json"), "A")).toContain("none.json");
  });
});
