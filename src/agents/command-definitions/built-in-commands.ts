/** Built-in commands in the format of command files. A project's file of the same name replaces one. */
export const builtInCommands: Readonly<Record<string, string>> = {
  research: `---
description: Find out what a task needs to know
routing:
  language_based: true
  lean: lean-research-agent
  default: researcher
---
Research the task. The result is a report, not a change to the code.
`,
  plan: `---
description: Turn a task into a plan of phases
routing:
  language_based: false
  target_agent: planner
---
Write the plan. The result is a document, not a change to the code.
`,
  implement: `---
description: Do the work of a task, phase by phase where there is a plan
routing:
  language_based: true
  lean: lean-implementation-agent
  default: implementer
  with_plan: task-executor
---
Do the work of the task.
`,
  revise: `---
description: Write a new version of a task's plan
routing:
  language_based: false
  target_agent: reviser
---
Write the new version of the plan. The old one stays.
`,
  review: `---
description: Review the work of a task, or anything you name
routing:
  language_based: false
  target_agent: reviewer
---
Review it. The result is a report, not a change to the code.
`,
  meta: `---
description: Write or change agents, commands and templates of this project
routing:
  language_based: false
  target_agent: meta-builder
---
`,
};
