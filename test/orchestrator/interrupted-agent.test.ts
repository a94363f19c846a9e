import { describe, expect } from "vitest";
import { fakeClaude, said } from "./fake-claude.ts";
import { it } from "./open-runtime.ts";
import { delegate, done, shell, write } from "./steps.ts";

const finished = { prints: [said.init, said.result("")], returns: "Did it. All of it." };

describe.concurrent("an agent whose program was killed", () => {
  it("learns that it was interrupted, and not that its return was bad", async ({ open }) => {
    const runtime = await open();
    const command = fakeClaude(runtime.project, "agent", [
      { writes: { "half.txt": "half" }, prints: [said.init, said.text("I begin")], dies: "SIGKILL" },
      finished,
    ]);
    const story = await runtime.run("K1", [], { adapter: "claude", command });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("K1", 2)).toContain("An earlier attempt was interrupted.");
    expect(runtime.prompt("K1", 2)).not.toContain("What was wrong");
    expect(runtime.history("K1")).not.toContain("return-rejected");
    expect(runtime.told("K1", "attempt-lost")).toHaveLength(1);
    expect(runtime.file("refs/heads/ambit/K1", "half.txt")).toBe("half");
  });

  it("gets its workers' results again if it was reading them", async ({ open }) => {
    const runtime = await open();
    const seen = runtime.signal("seen");
    runtime.agent("helper", [write("h.txt", "h"), done("Helped. Done.")]);
    const story = await runtime.run("K2", {
      begin: [delegate([{ description: "Help", agent: "helper" }])],
      results: [shell(`test -e ${seen} || { : > ${seen}; kill -9 $PPID; }`), done("Led. Done.")],
    });
    expect(story).toMatchObject({ outcome: "completed", attempt: 3 });
    expect(runtime.prompt("K2", 3)).toContain("Helped. Done.");
  });

  it("would learn what was wrong with its return if it had ended by itself (control)", async ({ open }) => {
    const runtime = await open();
    const command = fakeClaude(runtime.project, "agent", [
      { prints: [said.init, said.result("I am done.")] },
      finished,
    ]);
    const story = await runtime.run("K3", [], { adapter: "claude", command });
    expect(story).toMatchObject({ outcome: "completed", attempt: 2 });
    expect(runtime.prompt("K3", 2)).toContain("Cannot parse return as JSON");
  });
});
