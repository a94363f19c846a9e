import { describe, expect, it } from "vitest";
import { chooseColor } from "../../../src/cli/terminal/choose-color.ts";

const terminal = { allowed: true, isTty: true, environment: {} };

describe("chooseColor", () => {
  it.each([
    ["on for a terminal", {}, true],
    ["off for a pipe", { isTty: false }, false],
    ["off with --no-color", { allowed: false }, false],
    ["off with NO_COLOR", { environment: { NO_COLOR: "1" } }, false],
    ["on with an empty NO_COLOR", { environment: { NO_COLOR: "" } }, true],
    ["off on a dumb terminal", { environment: { TERM: "dumb" } }, false],
    ["on in a pipe with FORCE_COLOR", { isTty: false, environment: { FORCE_COLOR: "1" } }, true],
    ["on with FORCE_COLOR on a dumb terminal", { environment: { FORCE_COLOR: "1", TERM: "dumb" } }, true],
    ["off with FORCE_COLOR=0", { environment: { FORCE_COLOR: "0" } }, false],
    ["off with FORCE_COLOR=false", { environment: { FORCE_COLOR: "false" } }, false],
    ["off in a pipe with an empty FORCE_COLOR", { isTty: false, environment: { FORCE_COLOR: "" } }, false],
    [
      "off when NO_COLOR and FORCE_COLOR disagree",
      { environment: { NO_COLOR: "1", FORCE_COLOR: "1" } },
      false,
    ],
    [
      "off when --no-color and FORCE_COLOR disagree",
      { allowed: false, environment: { FORCE_COLOR: "1" } },
      false,
    ],
  ])("is %s", (_, change, expected) => {
    expect(chooseColor({ ...terminal, ...change })).toBe(expected);
  });
});
