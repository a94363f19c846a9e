import { describe, expect, it } from "vitest";
import { chooseIsolation, type IsolationWish } from "../../src/routing/choose-isolation.ts";

const open: IsolationWish = { isolation: "worktree" };
const closed: IsolationWish = { isolation: "sandbox" };
const online: IsolationWish = { network: true };
const offline: IsolationWish = { network: false };
const silent: IsolationWish = {};

/** Project, story, agent definition, managers above; then what is in force. */
const table: readonly (readonly [readonly IsolationWish[], "worktree" | "sandbox", boolean])[] = [
  [[], "worktree", false],
  [[silent, silent], "worktree", false],
  [[open], "worktree", false],
  [[closed], "sandbox", false],
  // The project asks for the sandbox, and nothing below lowers it.
  [[closed, open], "sandbox", false],
  [[closed, silent, open], "sandbox", false],
  // A story or a definition may raise it.
  [[open, closed], "sandbox", false],
  [[open, silent, closed], "sandbox", false],
  // A manager two levels up is in a sandbox.
  [[open, open, open, closed], "sandbox", false],
  // The network needs permission, and one refusal is enough.
  [[closed, online], "sandbox", true],
  [[{ ...closed, ...offline }, online], "sandbox", false],
  [[{ ...closed, ...online }, silent, silent], "sandbox", true],
  [[{ ...closed, ...online }, silent, offline], "sandbox", false],
  [[{ ...closed, network: null }, online], "sandbox", true],
  [[{ ...closed, network: null }], "sandbox", false],
];

describe("the isolation in force", () => {
  it.each(table)("for the wishes %j is %s, network %s", (wishes, isolation, network) => {
    expect(chooseIsolation(wishes)).toEqual({ isolation, network });
  });

  it("does not depend on the order of the wishes", () => {
    for (const [wishes, isolation, network] of table)
      expect(chooseIsolation(wishes.toReversed())).toEqual({ isolation, network });
  });

  it("is not lowered by one more wish", () => {
    for (const [wishes, isolation] of table)
      for (const more of [open, closed, online, offline, silent]) {
        const chosen = chooseIsolation([...wishes, more]);
        if (isolation === "sandbox") expect(chosen.isolation).toBe("sandbox");
        if (wishes.some((wish) => wish.network === false)) expect(chosen.network).toBe(false);
      }
  });
});
