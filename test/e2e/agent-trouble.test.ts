import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeClaude, said, type FakeRun } from "../orchestrator/fake-claude.ts";
import { makeProject, type Project } from "./project.ts";

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => project.remove());

const refused = (status: number, text: string) =>
  said.result(text, { is_error: true, api_error_status: status, terminal_reason: "api_error" });
const half = { "half.txt": "half" };

const cases: readonly (readonly [string, FakeRun, number, string])[] = [
  [
    "not logged in",
    { prints: [said.init, refused(401, "Please run /login")], exit: 1 },
    6,
    "AGENT_NOT_LOGGED_IN",
  ],
  ["refused by its provider", { prints: [said.init, refused(500, "500")], exit: 1 }, 1, "PROVIDER_FAILED"],
  [
    "refused with work done",
    { writes: half, prints: [said.init, refused(500, "500")], exit: 1 },
    3,
    "PROVIDER_FAILED",
  ],
  [
    "waiting for a permission",
    { prints: [said.init, said.result("No.", { permission_denials: [{ tool_name: "Bash" }] })] },
    4,
    "AGENT_NEEDS_PERMISSION",
  ],
  ["dying in its stream", { writes: half, prints: [said.init], dies: "SIGKILL" }, 3, "AGENT_STREAM_BROKEN"],
  ["printing garbage", { prints: ["\u0000\u001b[2J{"], exit: 0 }, 1, "AGENT_STREAM_BROKEN"],
];

describe("ambit run with an agent program", () => {
  it.each(cases)(
    "that is %s ends with the code, the exit status and the kept work",
    async (_, run, status, code) => {
      const command = fakeClaude(project, "fake", [run]);
      project.write(
        ".ambit/agents/fake.md",
        `---\nadapter: claude\ncommand: ${JSON.stringify(command)}\n---\n`,
      );
      const ended = await project.ambit("run", "Try", "--id", "E1", "--agent", "fake");
      expect(ended.status).toBe(status);
      expect(ended.stdout).toContain(`(${code})`);
      expect(ended.stdout + ended.stderr).not.toContain("\u001b[2J");
      if (run.writes !== undefined) expect(project.git("show", "delegation/E1:half.txt")).toBe("half");
    },
  );

  it("that is missing ends with exit 6, and with one that is not defined with exit 2, and opens no story", async () => {
    const missing = await project.ambit("run", "Try", "--id", "E2", "--agent", "opencode");
    expect(missing.status).toBe(6);
    expect(missing.stderr).toContain("AGENT_NOT_INSTALLED");
    expect(missing.stderr).toContain("ambit doctor");
    const ghost = await project.ambit("run", "Try", "--id", "E3", "--agent", "ghost");
    expect(ghost.status).toBe(2);
    expect((await project.ambit("status")).stdout).not.toContain("E2");
  });
});

describe("ambit doctor", () => {
  it("reports whether each agent program is installed and how to install it, and fails for a missing default", async () => {
    const before = await project.json("doctor");
    const findings = before["findings"];
    expect(findings).toContainEqual(
      expect.objectContaining({
        name: "agent opencode",
        ok: true,
        detail: "not installed",
        next: "npm install -g opencode-ai",
      }),
    );
    project.write("ambit.yaml", "agents:\n  default: opencode\n");
    const after = await project.ambit("doctor");
    expect(after.status).toBe(6);
    expect(after.stdout).toMatch(/default agent +opencode: opencode not installed\n +next +npm install -g/);
  });
});
