import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { layerSettings } from "../../src/agents/layer-settings.ts";

function layered(theirs: string, ours: unknown): unknown {
  return JSON.parse(layerSettings(theirs, JSON.stringify(ours)));
}

describe("our settings on top of a user's", () => {
  it("keep the user's choices and replace only settings that Ambit depends on", () => {
    const theirs = `{
      // which login
      "security": { "auth": { "selectedType": "oauth-personal" } },
      "model": { "name": "gemini-x", "disableLoopDetection": false }, /* mine */
      "tools": { "exclude": ["web_fetch"] },
      "url": "https://example.invalid/*not a comment*/"
    }`;
    const ours = {
      model: { disableLoopDetection: true },
      tools: { exclude: ["invoke_agent"] },
      mcpServers: {},
    };
    expect(layered(theirs, ours)).toEqual({
      security: { auth: { selectedType: "oauth-personal" } },
      model: { name: "gemini-x", disableLoopDetection: true },
      tools: { exclude: ["web_fetch", "invoke_agent"] },
      url: "https://example.invalid/*not a comment*/",
      mcpServers: {},
    });
  });

  it("leave the choice of a login to the user, and make one if there is none", () => {
    const ours = { security: { auth: { selectedType: "gemini-api-key" } } };
    const theirs = { security: { auth: { selectedType: "oauth-personal" } } };
    expect(layered(JSON.stringify(theirs), ours)).toEqual(theirs);
    expect(layered("{}", ours)).toEqual(ours);
  });

  it("are used alone if the user's cannot be read", () => {
    for (const broken of ["", "{", "[1]", "null", '{"a": 1,, }', "/* no end", '"text']) {
      expect(layered(broken, { a: 2 })).toEqual({ a: 2 });
    }
  });

  it("take effect whatever the user's settings are", () => {
    const ours = { a: { b: true, c: ["x"] }, d: 1 };
    fc.assert(
      fc.property(fc.json(), (theirs) => {
        expect(layered(theirs, ours)).toMatchObject({
          a: { b: true, c: expect.arrayContaining(["x"]) },
          d: 1,
        });
      }),
    );
    expect(layered('{"a":1,"d":{"deep":true}}', ours)).toEqual(ours);
  });

  it("never throw on any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (theirs) => layered(theirs, { a: 1 }) !== undefined),
    );
  });
});
