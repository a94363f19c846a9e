import { dirname, join } from "node:path";
import { makeProject, type Project } from "../../e2e/project.ts";
import { startDashboard } from "./start-dashboard.ts";

export interface LiveStory {
  readonly project: Project;
  readonly story: string;
  /** The link `ambit dashboard` printed. */
  readonly url: string;
  /** Ends the dashboard alone. */
  readonly stopServer: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What a worker may write: terminal sequences, markup, marks that turn text around, a line of a megabyte. */
const hostile = {
  ansi: String.raw`\u001b[2J\u001b[31mred`,
  markup: "<img src=x onerror=document.title='owned'><script>document.title='owned'</script>",
  turned: String.raw`safe \u202egnp.exe`,
} as const;

const done = (summary: string): string => `- return: {status: completed, summary: '${summary} It works.'}\n`;

const agents: Readonly<Record<string, string>> = {
  asker: `begin:
  - write: {path: ids.txt, text: "first line\\nsecond line\\n"}
  - spend: {input: 1200, output: 300, usd: 0.02, model: simulated-small}
  - run: [ambit, ask, "uuid or bigint? ${hostile.markup}", --wait, "0"]
answer:
  - write: {path: more.txt, text: "more\\n"}
  ${done("Used it.")}`,
  locker: `- write: {path: package-lock.json, text: "first of two\\nsecond of two\\n"}\n${done("Locked.")}`,
  yarner: `- write: {path: yarn.lock, text: "#\\n"}\n${done("Locked otherwise.")}`,
  painter: `- say: "${hostile.ansi}"
- say: "${hostile.markup}"
- say: "${hostile.turned}"
- flood: {bytes: 1000000, lines: false}
- say: ""
- say: after the flood
${done("Painted.")}`,
  talker: `- say: I begin.
- write: {path: talk.txt, text: "words so far\\n"}
- spend: {input: 900, output: 200, usd: 0.01, model: simulated-small}
- hang: talking
`,
};

const manager = `begin:
  - say: I hand out five parts.
  - spend: {input: 5000, output: 800, usd: 0.05, model: simulated-large}
  - run:
      - ambit
      - delegate
      - --wait
      - "0"
      - --tasks
      - |
        [{"description": "Choose ids", "agent": "asker", "accept": ["file ids.txt exists"]},
         {"description": "Lock versions", "agent": "locker"},
         {"description": "Lock versions otherwise", "agent": "yarner"},
         {"description": "Paint the wall", "agent": "painter"},
         {"description": "Talk for ever", "agent": "talker"}]
results:
  ${done("All parts are back.")}`;

/** A story through the built program whose workers ask, wait, write hostile text and never end. */
export async function startLiveStory(): Promise<LiveStory> {
  const project = makeProject();
  for (const [name, script] of Object.entries(agents)) {
    project.write(join("..", `${name}.yaml`), script);
    const file = join(dirname(project.root), `${name}.yaml`);
    project.write(
      `.ambit/agents/${name}.md`,
      `---\nname: ${name}\nadapter: scripted\ncommand: [${file}]\n---\n`,
    );
  }
  project.write(join("..", "manager.yaml"), manager);
  project.write(
    "ambit.yaml",
    "delegation:\n  windDown:\n    graceSeconds: 1\n  parallel:\n    maxConcurrent: 5\n",
  );
  project.git("add", "ambit.yaml", ".ambit/agents");
  project.git("commit", "--quiet", "-m", "agents");
  const dashboard = await startDashboard(project);
  return {
    project,
    story: "S1",
    url: dashboard.url,
    stopServer: () => dashboard.close(),
    close: async () => {
      await dashboard.close();
      await project.remove();
    },
  };
}

/** Starts the story when the page is already open, so that the page gets it by the stream alone. */
export async function runStory({ project, story }: LiveStory): Promise<void> {
  const script = join(dirname(project.root), "manager.yaml");
  const answer = await project.ambit(
    "run",
    "Manage four parts",
    "--id",
    story,
    "--script",
    script,
    "--detach",
  );
  if (answer.status !== 0) throw new Error(answer.stderr);
}
