import { describe, expect, it } from "vitest";
import { describeGit, describeImpersonation } from "../../src/app/doctor/check-machine.ts";

describe("doctor's check of git", () => {
  it.each(["2.39.4", "2.39.5", "2.40.2", "2.44.1", "2.45.0", "2.50.1.windows.1", "3.0.0"])(
    "accepts %s",
    (version) => {
      expect(describeGit(version)).toStrictEqual({ name: "git", ok: true, detail: version });
    },
  );

  it.each(["2.38.0", "2.39.3", "2.40.1", "2.44.0", "2.44.0 (Apple Git-1)"])(
    "accepts %s, but notes that it lacks GIT_NO_LAZY_FETCH",
    (version) => {
      expect(describeGit(version)).toMatchObject({ ok: true, isAdvice: true });
      expect(describeGit(version).detail).toContain("fetch missing objects by itself");
    },
  );

  it.each(["2.37.9", "1.9.1", ""])("rejects %j as too old", (version) => {
    expect(describeGit(version)).toMatchObject({ ok: false });
  });
});

describe("doctor's check of workers that could act as the person", () => {
  it("names the remaining risk in each tier", () => {
    const covered = describeImpersonation({ tier: "pid-namespace", shielded: true }, false);
    expect(covered.detail).toMatch(/^refused; .* are covered; in a worktree it runs as you/);
    const ofRoot = describeImpersonation({ tier: "pid-namespace", shielded: true }, true);
    expect(ofRoot.detail).toContain("a worker of root can take the cover away");
    const seen = describeImpersonation({ tier: "subreaper", shielded: true }, false);
    expect(seen.detail).toContain("recognised and refused, but your socket and the journal are visible");
    expect([covered, ofRoot, seen].every(({ isAdvice }) => isAdvice === undefined)).toBe(true);
  });

  it.each(["process-group", "subreaper"] as const)("warns if a process can escape: %s", (tier) => {
    const finding = describeImpersonation({ tier, shielded: false }, false);
    expect(finding).toMatchObject({ ok: true, isAdvice: true });
    expect(finding.detail).toContain("can approve, merge and start stories in your name");
  });
});
