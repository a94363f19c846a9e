import { readdirSync, readFileSync } from "node:fs";
import { Machines, requireAddress } from "../../src/journal/machines.ts";
import { dirname, join } from "node:path";
import { until, type Project } from "./project.ts";

/** A document a command printed, by the name of the command, such as `task list`. */
export interface PrintedDocument {
  readonly command: string;
  readonly words: readonly string[];
  readonly document: unknown;
}

/** Each of these speaks a protocol of its own, or serves until it is stopped. */
export const servers: readonly string[] = ["mcp", "dashboard", "model-server", "worker"];

/** A criterion that is checked by the tree, so that no person has to be asked. */
const PROVEN = ["--accept", "file a.txt exists"];

type Call = readonly [command: string, ...words: string[]];

/** Commands in a repository with one commit and nothing else. */
const inFreshProject: readonly Call[] = [
  ["init", "--dry-run"],
  ["status"],
  ["tree"],
  ["cost"],
  ["stats"],
  ["performance"],
  ["audit"],
  ["inbox"],
  ["list"],
  ["report"],
  ["checklist"],
  ["message list"],
  ["errors"],
  ["template compare"],
  ["supervisor status"],
  ["task list"],
];

const anywhere: readonly Call[] = [
  ["version"],
  ["help", "limits"],
  ["help", "status"],
  ["config list"],
  ["config get", "delegation.maxDepth"],
  ["config check"],
  ["config schema"],
  ["config path"],
  ["agents list"],
  ["agents show", "claude"],
  ["agents check"],
  ["template list"],
  ["template show", "layer"],
  ["completion", "bash"],
  ["mcp install", "claude"],
  ["mcp uninstall", "claude"],
  ["trust", "--show"],
  ["trust", "--yes"],
  ["trust", "--revoke"],
  ["doctor"],
  ["doctor", "--symptom", "hang"],
  ["directive parse", "a.txt", "--parent", "US-1"],
  ["directive validate", "[delegate:Do it:2]"],
  ["directive count", "a.txt"],
  ["check depth", "--caller", "1", "--max", "2"],
  ["check path", "--path", "a,b", "--target", "c", "--max", "3"],
  ["check cycle", "--edges", '[["A","B"]]', "--add", "B,A"],
  ["check budget", "--parent", "1", "--child", "2", "--max", "2"],
  ["check count", "--existing", "9", "--requested", "2", "--max", "10"],
  ["check description", "Do it; now"],
  ["check session", "sess_1766779200_a1b2c3"],
  ["check range", "343-345,337"],
  ["check range", "all"],
  ["check marker", "[PLANNED]"],
  ["check return", "a.txt"],
  ["check todos", "a.txt"],
];

/** Commands after a story with a worker and a story that waits for an answer. */
const afterStories: readonly Call[] = [
  ["status", "J1"],
  ["tree", "J1", "--format", "json"],
  ["cost", "J1"],
  ["stats"],
  ["performance"],
  ["performance", "--by", "agent"],
  ["audit"],
  ["audit", "--verify"],
  ["inbox"],
  ["list"],
  ["logs", "J1"],
  ["explain", "J1"],
  ["explain", "TIMEOUT"],
  ["diff", "J1"],
  ["verify", "J1"],
  ["todos", "J1"],
  ["message list", "J1"],
  ["errors"],
  ["errors", "--list"],
  ["template compare"],
  ["clean", "--dry-run"],
  ["doctor", "--symptom", "routing"],
  ["merge", "J1", "--dry-run"],
  ["supervisor status"],
];

/** Commands that change something. Each depends on the one before. */
const inOrder: readonly Call[] = [
  ["config set", "delegation.maxDepth", "1"],
  ["run", "Plan it", "--agent", "helper", "--dry-run"],
  ["template add", "../offered", "--yes"],
  ["template search", "--index", "../offered"],
  ["template publish", "ours", "--index", ".", "--dry-run"],
  ["reply", "J2", "npm"],
  ["attach", "J2"],
  ["quick", "Do it", "--agent", "helper", "--accept", "file a.txt exists"],
  ["run", "Hang", "--id", "J3", "--detach", "--script", "../hang.yaml"],
  ["message send", "J3", "use the staging database"],
  ["stop", "J3"],
  ["attach", "J3"],
  ["resume", "J3", "--detach"],
  ["stop", "J3"],
  ["retry", "J3", "--detach"],
  ["stop", "J3"],
  ["approve", "J4"],
  ["attach", "J4"],
  ["reject", "J5", "--reason", "no"],
  ["attach", "J5"],
  ["task add", "First task"],
  ["task add", "Second task", "--accept", "file a.txt exists"],
  ["task list"],
  ["task show", "1"],
  ["task edit", "1", "--priority", "high"],
  ["task status", "2", "abandoned"],
  ["task divide", "1", "--into", "One", "Two"],
  ["task sync"],
  ["task archive", "2"],
  ["task recover", "2"],
  ["task abandon", "2"],
  ["task import", "more.json"],
  ["todo"],
  ["task status", "8", "planning"],
  ["task status", "8", "planned"],
  ["research", "5", "--agent", "helper"],
  ["plan", "6", "--agent", "helper", "--detach"],
  ["implement", "7", "--agent", "helper", "--detach"],
  ["revise", "8", "--agent", "helper", "--detach"],
  ["review", "the README", "--agent", "helper", "--detach"],
  ["meta", "an agent", "--agent", "helper", "--detach"],
  ["logs", "J3", "--note", "Looked at it"],
  ["clean"],
  ["clean", "--history", "--dry-run"],
  ["supervisor stop"],
  ["cluster init"],
  ["cluster import"],
];

/** Commands with a machine that is called north. */
const inCluster: readonly Call[] = [
  ["cluster status"],
  ["cluster drain", "north"],
  ["cluster remove", "north"],
  ["cluster export"],
];

async function announceNorth(project: Project, url: string): Promise<void> {
  const { project: name } = await project.json("cluster", "status");
  const machines = new Machines(requireAddress({ AMBIT_CLUSTER_URL: url }), String(name));
  const facts = { machine: "id", incarnation: "one", slots: 2, used: 0, draining: false, version: "0" };
  await machines.announce({ ...facts, name: "north", protocol: 1, pools: ["default"] });
  await machines.close();
}

/** Runs every command in one repository and returns their output. */
export async function printDocuments(
  project: Project,
  clusterUrl: string,
): Promise<readonly PrintedDocument[]> {
  const printed: PrintedDocument[] = [];
  const print = async (calls: readonly Call[]): Promise<void> => {
    for (const [command, ...words] of calls) printed.push(...(await printOne(project, command, words)));
  };
  const together = async (calls: readonly Call[]): Promise<void> => {
    const answers = await Promise.all(calls.map(([command, ...words]) => printOne(project, command, words)));
    printed.push(...answers.flat());
  };
  await together([...inFreshProject, ...anywhere]);
  printed.push(...(await printOne(project, "init", ["--yes", "--minimal"])));
  setUp(project);
  printed.push(...(await printOne(project, "run", ["Lead it", "--id", "J1", "--agent", "lead", ...PROVEN])));
  printed.push(
    ...(await printOne(project, "run", ["Ask it", "--id", "J2", "--agent", "asker", "--detach", ...PROVEN])),
  );
  for (const id of ["J4", "J5"]) {
    const words = ["Judge it", "--id", id, "--agent", "helper", "--detach", "--accept", "a person likes it"];
    printed.push(...(await printOne(project, "run", words)));
  }
  await until("all questions wait", async () => {
    const { questions } = await project.json("inbox");
    return Array.isArray(questions) && questions.length === 3;
  });
  printed.push(...workerDocuments(project, "J1"), ...workerDocuments(project, "J2"));
  await together(afterStories);
  const [demo] = await Promise.all([printOne(project, "demo", []), print(inOrder)]);
  await announceNorth(project, clusterUrl);
  await print(inCluster);
  return [...printed, ...demo];
}

async function printOne(
  project: Project,
  command: string,
  words: readonly string[],
): Promise<readonly PrintedDocument[]> {
  const { stdout } = await project.ambit("--json", ...command.split(" "), ...words);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ command, words, document: readDocument(line, [command, ...words]) }));
}

function readDocument(line: string, words: readonly string[]): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(`ambit ${words.join(" ")} --json printed: ${line}`);
  }
}

/** The output of the commands that only a worker can call. */
function workerDocuments(project: Project, id: string): readonly PrintedDocument[] {
  const folder = join(project.root, ".git/ambit/logs", id);
  const lines = readdirSync(folder).flatMap((attempt) =>
    readFileSync(join(folder, attempt, "stdout"), "utf8").split("\n"),
  );
  return lines.flatMap((line, index) => {
    if (!line.startsWith('{"schema"')) return [];
    const [, , ...words] = (lines[index - 1] ?? "").split(" ");
    const command = words[0] === "message" ? words.slice(0, 2).join(" ") : (words[0] ?? "");
    return [{ command, words, document: JSON.parse(line) }];
  });
}

function setUp(project: Project): void {
  const outside = (name: string): string => join(dirname(project.root), name);
  const agent = (name: string, script: string): void => {
    project.write(`../${name}.yaml`, script);
    project.write(
      `.ambit/agents/${name}.md`,
      `---\nadapter: scripted\ncommand: [${outside(`${name}.yaml`)}]\n---\n`,
    );
  };
  const done = "return: {status: completed, summary: 'It is done. Nothing is left.'}";
  agent("helper", `- write: {path: helped.txt, text: "done\\n"}\n- ${done}\n`);
  const delegated = '[{"description": "Help", "agent": "helper", "accept": ["file helped.txt exists"]}]';
  const todos =
    '[{"id": "docs", "content": "Write docs", "activeForm": "Writing docs", "status": "pending"}]';
  agent(
    "lead",
    [
      "begin:",
      `  - run: [ambit, todos, --update, '${todos}', --json]`,
      "  - run: [ambit, message, read, --json]",
      `  - run: [ambit, delegate, --wait, '0', --tasks, '${delegated}', --json]`,
      `results:\n  - ${done}`,
      "",
    ].join("\n"),
  );
  agent(
    "asker",
    `begin:\n  - run: [ambit, ask, 'npm or pnpm?', --wait, '0', --json]\nanswer:\n  - ${done}\n`,
  );
  project.write("../hang.yaml", "- hang: quiet\n");
  project.write("../offered/ours.yaml", "title: Ours\nsummary: Our way\nguidance: Do it.\n");
  project.write("more.json", '[{"title": "Five"}, {"title": "Six"}, {"title": "Seven"}, {"title": "Eight"}]');
  project.write(
    "ambit.yaml",
    "agents:\n  default: helper\ndelegation:\n  windDown:\n    graceSeconds: 1\nverification:\n  test: 'true'\n",
  );
  project.git("add", "-A");
  project.git("commit", "--quiet", "-m", "agents");
}
