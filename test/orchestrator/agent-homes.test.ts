import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { probeContainment } from "../../src/containment/probe-containment.ts";
import { fakeClaude, said } from "./fake-claude.ts";
import { it, type TestRuntime } from "./open-runtime.ts";

const HOMES = ".local/state/ambit/agents";

function findHomes({ project }: TestRuntime): string {
  return join(dirname(project.root), HOMES);
}

describe.concurrent("an agent's home", () => {
  it("is in the user's state folder, outside project and git folder, and is gone afterwards", async ({
    open,
  }) => {
    const runtime = await open();
    const told = runtime.signal("told");
    const command = fakeClaude(runtime.project, "agent", [
      {
        shell: `echo "$CLAUDE_CONFIG_DIR" > '${told}'; stat -c %a "$CLAUDE_CONFIG_DIR/.." >> '${told}'`,
        prints: [said.init, said.result("")],
        returns: "Did it. All of it.",
      },
    ]);
    const story = await runtime.run("AH1", [], { adapter: "claude", command });
    expect(story.outcome).toBe("completed");
    const [place = "", mode] = runtime.text(told).split("\n");
    expect(place.startsWith(`${findHomes(runtime)}/`)).toBe(true);
    expect(place.endsWith("/AH1/claude")).toBe(true);
    expect(mode).toBe("700");
    expect(readdirSync(findHomes(runtime))).toEqual([]);
  });

  it("is the only one that its worker can read, if workers run in a namespace of their own", async ({
    open,
  }) => {
    const runtime = await open();
    const other = join(findHomes(runtime), "another-project/S-9");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "login.json"), "secret");
    const told = runtime.signal("seen");
    const look = `cat '${other}/login.json' > '${told}' 2>&1; touch "$CLAUDE_CONFIG_DIR/../own" && echo own >> '${told}'`;
    const prints = [said.init, said.result("")];
    const command = fakeClaude(runtime.project, "agent", [
      { shell: look, prints, returns: "Did it. All of it." },
    ]);
    await runtime.run("AH2", [], { adapter: "claude", command });
    const { best } = await probeContainment();
    const isHidden = best.tier === "pid-namespace";
    expect(runtime.text(told).includes("secret")).toBe(!isHidden);
    expect(runtime.text(told)).toMatch(/own\n$/);
    expect(existsSync(join(other, "login.json"))).toBe(true);
  });
});
