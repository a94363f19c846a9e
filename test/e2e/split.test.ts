import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, type Project } from "./project.ts";

let project: Project;

/** Proposes the parts of a file outside, or writes one file for its part. The word "break" makes it fail. */
const worker = (proposal: string): string => `cat > prompt.tmp
first=$(head -n 1 prompt.tmp)
rm prompt.tmp
case "$first" in
  *"Propose parts of"*) cp "${proposal}" ambit-split.json ;;
  *break*) exit 1 ;;
  *) echo done > "part-$(echo "$first" | tr -cd 'a-z').txt" ;;
esac
printf '{"status":"completed","summary":"Wrote one file. It is there.","artifacts":[],"metadata":%s}' "$AMBIT_RETURN_METADATA" > "$AMBIT_RETURN_FILE"
`;

beforeAll(() => {
  project = makeProject();
  const outside = dirname(project.root);
  project.write("worker.sh", worker(join(outside, "proposal.json")));
  project.write(".ambit/agents/worker.md", '---\nadapter: command\ncommand: ["sh", "worker.sh"]\n---\n');
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "worker");
});
afterAll(() => project.remove());

function propose(proposal: unknown): void {
  project.write("../proposal.json", JSON.stringify(proposal));
}

interface Facts {
  readonly status: number | null;
  readonly files: readonly string[];
  readonly workers: readonly string[];
}

async function split(id: string, ...words: string[]): Promise<Facts> {
  const given = ["--id", id, "--template", "split", "--agent", "worker", ...words];
  const { status } = await project.ambit("run", "build both", ...given);
  const { stdout } = await project.ambit("audit", id, "--limit", "2000", "--json");
  const { events }: { events: readonly { type: string; data: { description?: string } }[] } =
    JSON.parse(stdout);
  const admitted = events.filter(({ type }) => type === "delegation-admitted");
  return {
    status,
    files: project.git("ls-tree", "--name-only", "-r", `ambit/${id}`).split("\n").filter(isNew),
    workers: admitted.map(({ data }) => data.description ?? ""),
  };
}

const isNew = (name: string): boolean => name.startsWith("part-") || name.startsWith("ambit-split");

it("splits one story over workers by its agent's proposal and merges their parts as one (R191)", async () => {
  propose({
    parts: [
      { name: "api", description: "api", scope: ["part-api.txt"] },
      { name: "ui", description: "ui", scope: ["part-ui.txt"], accept: ["file part-ui.txt exists"] },
      { description: "last", after: ["api", "ui"] },
    ],
  });
  const done = await split("P1", "--check", "test -f part-api.txt && test -f part-ui.txt");
  expect(done).toEqual({
    status: 0,
    files: ["part-api.txt", "part-last.txt", "part-ui.txt"],
    workers: ["Propose parts of: build both", "api", "ui", "last"],
  });
});

it.each([
  ["something that is not a list of parts", { parts: [{ scope: ["x"] }] }],
  ["more parts than were asked for", { parts: ["a", "b", "c", "d"].map((description) => ({ description })) }],
  ["no parts", { parts: [] }],
])("gives the whole story to one worker where it proposes %s (R191)", async (_name, proposal) => {
  propose(proposal);
  const id = `Q${JSON.stringify(proposal).length}`;
  expect(await split(id)).toEqual({
    status: 0,
    files: ["part-buildboth.txt"],
    workers: ["Propose parts of: build both", "build both"],
  });
});

it("reports how many parts are completed if one failed, and is refused without an agent (R191)", async () => {
  propose({ parts: [{ description: "api" }, { description: "break" }] });
  const part = await split("T1");
  expect(part.status).not.toBe(0);
  const { stdout } = await project.ambit("explain", "T1");
  expect(stdout).toContain("1 of 2 parts are completed");
  const refused = await project.ambit("run", "build both", "--template", "split", "--", "true");
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("--agent <name>")]);
});
