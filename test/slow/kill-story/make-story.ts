import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitProject } from "../commit-project.ts";

export const STORY = "K1";

export const storyRequest = {
  id: STORY,
  title: "A story that goes through everything",
  agent: "manager",
  criteria: ["`test -f one.txt && test -f two.txt && test -f deep.txt` passes"],
};

const returns = (summary: string): string => `- return: {status: completed, summary: "${summary}"}`;

const scripts: Readonly<Record<string, string>> = {
  manager: `begin:
  - write: {path: plan.txt, text: "plan\\n"}
  - spend: {input: 10, output: 1, usd: 0.01}
  - run: [ambit, delegate, --wait, "0", --tasks, '[{"description":"One","agent":"one","accept":["file one.txt exists"]},{"description":"Two","agent":"two","accept":["\`grep -q good two.txt\` passes"]},{"description":"Middle","agent":"middle","accept":["file deep.txt exists"]}]']
results:
  ${returns("All is there. It was checked.")}
`,
  one: `begin:
  - early: true
  - write: {path: one.txt, text: "one\\n"}
  - run: [sh, add.sh, one]
  - spend: {input: 10, output: 1, usd: 0.01}
  - return-text: "Done!"
repair:
  ${returns("One is there. It was checked.")}
conflict:
  - run: [sh, keep-both.sh]
  ${returns("Both are kept. It was checked.")}
`,
  two: `begin:
  - write: {path: two.txt, text: "bad\\n"}
  - run: [sh, add.sh, two]
  - run: [ambit, ask, "Which colour?", --wait, "20"]
  ${returns("Two is there. It was checked.")}
retry:
  - write: {path: two.txt, text: "good\\n"}
  ${returns("Two is good now. It was checked.")}
conflict:
  - run: [sh, keep-both.sh]
  ${returns("Both are kept. It was checked.")}
`,
  middle: `begin:
  - run: [ambit, delegate, Deep, --agent, deep, --accept, file deep.txt exists, --wait, "0"]
results:
  ${returns("Deep is there. It was checked.")}
`,
  deep: `- write: {path: deep.txt, text: "deep\\n"}
- spend: {input: 10, output: 1, usd: 0.01}
${returns("Deep is written. It was checked.")}
`,
};

/** A repository in which the story can run; every script is in it. */
export function makeStoryProject(root: string): void {
  const files: Record<string, string> = {
    "list.txt": "zero\n",
    "keep-both.sh": "grep -v '^[<=>]\\{7\\}' list.txt > list.new; mv list.new list.txt\n",
    // Done again after a crash it must not add the line again, as an agent that looks first would not.
    "add.sh": 'grep -qx "$1" list.txt || echo "$1" >> list.txt\n',
    "ambit.yaml": "delegation:\n  retry: {enabled: true, maxAttempts: 3}\n  windDown: {graceSeconds: 1}\n",
  };
  for (const [name, text] of Object.entries(scripts)) {
    files[`scripts/${name}.yaml`] = text;
    files[`.ambit/agents/${name}.md`] = `---\nadapter: scripted\ncommand: [scripts/${name}.yaml]\n---\n`;
  }
  commitProject(root, files);
  // A person in the middle of their own work.
  writeFileSync(join(root, "list.txt"), "zero\nmine\n");
  writeFileSync(join(root, "untracked.txt"), "mine\n");
}
