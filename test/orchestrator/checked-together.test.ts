import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { until } from "../e2e/project.ts";
import { createRandom, type Random } from "../slow/random.ts";
import { it, type TestRuntime } from "./open-runtime.ts";
import { because, delegate, done, returns, shell, waitFor, write } from "./steps.ts";

/**
 * The project's test command: without parts it waits for a signal; otherwise it is red while one of them says so. Runs on
 * parts are counted outside the project.
 */
const script = (signal: TestRuntime["signal"]): string => `
[ -d parts ] || { until [ -e '${signal("gate")}' ]; do sleep 0.02; done; exit 0; }
echo run >> '${signal("runs")}'
if [ -e '${signal("hold")}' ]; then until [ -e '${signal("end")}' ]; do sleep 0.02; done; fi
! grep -rqs broken parts
`;
const passes = (command: string): string => `\`${command}\` exits with code 0`;
const runsOf = (runtime: TestRuntime): number =>
  existsSync(runtime.signal("runs")) ? runtime.text(runtime.signal("runs")).split("\n").length - 1 : 0;

interface Part {
  readonly path: string;
  readonly text: string;
  /** What it does besides. */
  readonly also?: string;
  readonly status?: "completed" | "partial";
  /** Commands that only this worker has. */
  readonly own?: readonly string[];
  readonly changed?: string;
}

const idOf = (story: string, index: number): string => `${story}-DEL-${String(index + 1).padStart(3, "0")}`;

/**
 * A manager with one worker whose check waits, and with others that return meanwhile, one after the other: they wait for
 * the branch in this order.
 */
async function runParts(runtime: TestRuntime, story: string, parts: readonly Part[]): Promise<void> {
  await startParts(runtime, story, parts);
  runtime.open(runtime.signal("gate"));
  await runtime.engine.whenEnded(story);
}

async function startParts(runtime: TestRuntime, story: string, parts: readonly Part[]): Promise<void> {
  const { agent, signal, project } = runtime;
  const check = join(dirname(project.root), "check.sh");
  writeFileSync(check, script(signal));
  project.write("ambit.yaml", `verification:\n  test: sh ${check}\n`);
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "settings");
  agent("gate", [write("gate.txt", "gate"), done()]);
  const tasks = parts.map(({ path, text, also = "true", status = "completed", own = [], changed }, index) => {
    const end = status === "completed" ? done() : returns(status, "Not all of it.", because("No time."));
    agent(`part${index}`, [waitFor(signal(`go${index}`)), write(path, text), shell(also), end]);
    const accept = [`sh ${check}`, ...own].map(passes);
    if (changed !== undefined) accept.push(`changes ${changed}`);
    return { description: `Part ${index}`, agent: `part${index}`, accept };
  });
  const gate = { description: "Hold the branch", agent: "gate", accept: [passes(`sh ${check}`)] };
  await runtime.start(story, { begin: [delegate([gate, ...tasks])], results: [done()] });
  await until("the gate is checked", () => runtime.told(idOf(story, 0), "check-started").length > 0);
  for (const index of parts.keys()) {
    runtime.open(signal(`go${index}`));
    await until(`part ${index} returns`, () =>
      runtime.history(idOf(story, index + 1)).includes("delegation-returned"),
    );
  }
}

/** What a person, a manager or a later merge can know of each part; commits have the time of the run in them. */
async function describeParts(runtime: TestRuntime, story: string, parts: readonly Part[]): Promise<unknown> {
  // Elsewhere are the scripts of this run.
  const treeOf = (commit: string): string =>
    runtime.project.git("ls-tree", "-r", commit, "parts", "lines.txt");
  const described = parts.map(async (_, index) => {
    const id = idOf(story, index + 1);
    const { outcome, code, summary, filesChanged, candidate } = await runtime.read(id);
    const checked = runtime.told(id, "criterion-checked").map(({ criterionId, verdict, evidence }) => {
      return { criterionId, verdict, evidence: withoutPlaces(evidence) };
    });
    return {
      end: { outcome, code, filesChanged, summary: withoutPlaces(summary) },
      checked,
      verified: runtime.told(id, "delegation-verified").map(({ passed, failed }) => ({ passed, failed })),
      trees: candidate === null ? null : [treeOf(candidate.commit), treeOf(candidate.onto ?? "HEAD")],
      history: runtime.history(id).filter((type) => !type.startsWith("check-")),
    };
  });
  return { parts: await Promise.all(described), tree: treeOf(`refs/heads/ambit/${story}`) };
}

/** Logs are kept where the check ran, and no two runs take the same time. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/\S*\/\S*/g, "…").replaceAll(/\d+(\.\d+)? m?s/g, "… s");
}

const separate = (count: number): Part[] =>
  Array.from({ length: count }, (_, index) => ({ path: `parts/${index}.txt`, text: "fine" }));

describe.concurrent("returned work that waits for the same branch", () => {
  it("is checked once together, and each worker gets the result it would have had alone", async ({
    open,
    openAlone,
  }) => {
    const parts = separate(6);
    const [together, alone] = [await open(), await openAlone()];
    for (const runtime of [together, alone]) await runParts(runtime, "T1", parts);
    // Once more for the story itself.
    expect([runsOf(together), runsOf(alone)]).toEqual([1 + 1, 6 + 1]);
    expect(await describeParts(together, "T1", parts)).toEqual(await describeParts(alone, "T1", parts));
    const [last] = together.told(idOf("T1", 6), "delegation-verified");
    expect(together.told(idOf("T1", 1), "delegation-verified")).toMatchObject([
      { checkedOn: last?.candidate },
    ]);
    const ids = parts.map((_, index) => idOf("T1", index + 1));
    for (const id of ids)
      for (const ended of together.told(id, "check-ended").filter(({ on }) => on === "work"))
        expect(ended).toMatchObject({ verdict: "passed", together: ids });
  });

  it("is split if a check is red, and the work at fault gets the verdict it would have had alone", async ({
    open,
  }) => {
    const runtime = await open();
    const parts = separate(6).with(4, { path: "parts/4.txt", text: "broken" });
    await runParts(runtime, "T2", parts);
    for (const index of [0, 1, 2, 3, 5])
      expect(await runtime.read(idOf("T2", index + 1))).toMatchObject({ outcome: "completed" });
    expect(await runtime.read(idOf("T2", 5))).toMatchObject({ outcome: "partial", code: "CRITERION_FAILED" });
    expect(runtime.told(idOf("T2", 5), "criterion-checked")[0]).toMatchObject({ verdict: "failed" });
    // Innocent ones never have a verdict of a red group.
    expect(runtime.told(idOf("T2", 6), "criterion-checked")).toMatchObject([{ verdict: "passed" }]);
    expect(runtime.file("refs/heads/ambit/T2", "parts/4.txt")).toBeUndefined();
    expect(runtime.file("refs/heads/ambit/T2", "parts/5.txt")).toBe("fine");
  });

  it("is not checked together if two workers change the same file", async ({ open }) => {
    const runtime = await open();
    runtime.project.write("lines.txt", "first\n\n\n\n\n\n\nlast\n");
    const parts: readonly Part[] = [
      { path: "parts/0.txt", text: "fine", also: "sed -i s/first/1/ lines.txt" },
      { path: "parts/1.txt", text: "fine" },
      { path: "parts/2.txt", text: "fine", also: "sed -i s/last/2/ lines.txt" },
      { path: "parts/3.txt", text: "fine" },
    ];
    await runParts(runtime, "T3", parts);
    const proofs = parts.map((_, index) => runtime.told(idOf("T3", index + 1), "delegation-verified")[0]);
    expect(proofs.map((one) => one?.checkedOn ?? one?.candidate)).toEqual(
      [1, 1, 3, 3].map((last) => proofs[last]?.candidate),
    );
    expect(runsOf(runtime)).toBe(2 + 1);
    expect(runtime.file("refs/heads/ambit/T3", "lines.txt")).toBe("1\n\n\n\n\n\n\n2\n");
  });

  it("is merged without the work of a worker that is stopped during the check", async ({ open }) => {
    const runtime = await open();
    await startParts(runtime, "T4", separate(3));
    runtime.open(runtime.signal("hold"));
    runtime.open(runtime.signal("gate"));
    await until("they are checked together", () => runsOf(runtime) === 1);
    await runtime.engine.stop(idOf("T4", 2), { reason: "not needed", by: "test" });
    expect(await runtime.read(idOf("T4", 2))).toMatchObject({ outcome: "cancelled" });
    runtime.open(runtime.signal("end"));
    await runtime.engine.whenEnded("T4");
    for (const index of [1, 3])
      expect(await runtime.read(idOf("T4", index))).toMatchObject({ outcome: "completed" });
    expect(runtime.file("refs/heads/ambit/T4", "parts/1.txt")).toBeUndefined();
    expect(runtime.file("refs/heads/ambit/T4", "parts/2.txt")).toBe("fine");
  });
});

describe("random work of several workers", () => {
  it.for([1, 2, 3])(
    "ends the same, checked together or one by one (seed %i)",
    async (seed, { open, openAlone }) => {
      const parts = planParts(createRandom(seed));
      const [together, alone] = [await open(), await openAlone()];
      for (const runtime of [together, alone]) await runParts(runtime, "T5", parts);
      expect(await describeParts(together, "T5", parts)).toEqual(await describeParts(alone, "T5", parts));
    },
  );
});

function planParts(random: Random): readonly Part[] {
  return Array.from({ length: 3 + random.below(4) }, (_, index) => {
    const path = random.chance(0.1) ? "parts/same.txt" : `parts/${index}.txt`;
    const own = [
      ...(random.chance(0.3) ? [`test -f ${path}`] : []),
      ...(random.chance(0.15) ? ["test -f nowhere.txt"] : []),
    ];
    return {
      path,
      text: random.chance(0.2) ? "broken" : `fine ${index}`,
      own,
      ...(random.chance(0.2) ? { status: "partial" as const } : {}),
      ...(random.chance(0.3) ? { changed: random.chance(0.7) ? "parts/*.txt" : "other/*" } : {}),
    };
  });
}
