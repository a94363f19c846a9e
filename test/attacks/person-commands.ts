import type { PersonCallName } from "../../src/supervisor/protocol/person-calls.ts";
import type { UseCaseName } from "../../src/app/use-cases.ts";

/** One thing a worker tries: its name, the words after `ambit`, and for a server its input. */
export type Attempt = readonly [name: string, words: readonly string[], input?: string];

/** Command lines of every use case that changes something; a use case that is missing here fails the test. */
export const changingCommands: Readonly<Partial<Record<UseCaseName, readonly (readonly string[])[]>>> = {
  run: [["run", "Mine", "--detach", "--", "true"]],
  "run task": [["run", "1", "--detach"]],
  "run prd": [["run", "prd.json", "--detach"]],
  "run preview": [["run", "Mine", "--dry-run", "--", "true"]],
  quick: [["quick", "Mine"]],
  workflow: [
    ["research", "1"],
    ["review", "the README", "--detach"],
  ],
  resume: [["resume", "OLD", "--detach"]],
  retry: [["retry", "OLD", "--detach"]],
  stop: [["stop", "OLD"]],
  answer: [
    ["approve", "OLD"],
    ["reject", "OLD", "--reason", "no"],
    ["reply", "OLD", "yes"],
  ],
  merge: [["merge", "OLD", "--yes"]],
  "merge preview": [["merge", "OLD", "--dry-run"]],
  "merge undo": [["merge", "--undo", "--yes"]],
  "merge undo preview": [["merge", "--undo"]],
  "audit rebuild": [["audit", "--rebuild"]],
  "task add": [["task", "add", "Mine"]],
  "task edit": [["task", "edit", "1", "--priority", "high"]],
  "task divide": [
    ["task", "divide", "1", "--into", "One", "Two"],
    ["task", "divide", "1", "--prompt", "Divide it"],
  ],
  "task import": [["task", "import", "more.json"]],
  "task status": [["task", "status", "1", "abandoned"]],
  "task archive": [["task", "archive", "1"]],
  "task recover": [["task", "recover", "1"]],
  "task abandon": [["task", "abandon", "1"]],
  "task sync": [["task", "sync"]],
  todo: [["todo"]],
  init: [["init"]],
  doctor: [["doctor", "--fix"]],
  clean: [["clean", "--yes"]],
  "clean history": [["clean", "--history", "--yes"]],
  "logs note": [["logs", "OLD", "--note", "mine"]],
  "trust accept": [["trust", "--yes"]],
  "trust revoke": [["trust", "--revoke"]],
  "config set": [
    ["config", "set", "delegation.maxDepth", "3"],
    ["config", "set", "--user", "delegation.maxDepth", "3"],
  ],
  "template add": [["template", "add", "../offered", "--yes"]],
  "template search": [["template", "search", "tests", "--index", "../offered"]],
  "template publish": [["template", "publish", "split", "--index", "../offered", "--yes"]],
  "mcp install": [["mcp", "install", "claude", "--yes"]],
  "mcp uninstall": [["mcp", "uninstall", "claude", "--yes"]],
  "cluster init": [["cluster", "init"]],
  "cluster status": [["cluster", "status"]],
  "cluster import": [["cluster", "import"]],
  "cluster export": [["cluster", "export"]],
  "cluster drain": [["cluster", "drain", "north"]],
  "cluster remove": [["cluster", "remove", "north"]],
  "supervisor stop": [["supervisor", "stop"]],
};

const delegateByMcp = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "delegate", arguments: { tasks: [{ description: "Do more" }] } },
  },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

/** With its token a worker may do these in its own name; without one, only a person may. */
export const withoutToken: readonly Attempt[] = [
  ["message send OLD", ["message", "send", "OLD", "hello"]],
  ["mcp", ["mcp"], delegateByMcp],
];

/** Commands that are not in the table of use cases. */
export const otherCommands: readonly Attempt[] = [["dashboard", ["dashboard", "--no-open"]]];

/** Every call of the supervisor that changes something, as a program would send it. */
export const changingCalls: Readonly<Partial<Record<PersonCallName, object>>> = {
  run: { id: "MINE", title: "Mine", adapter: "command", command: ["true"] },
  workflow: { command: "review", focus: "the README" },
  outside: { client: "x" },
  stop: { id: "OLD", reason: "x", by: "person" },
  answer: { approval: "none", answer: "approved", reason: "", by: "person" },
  message: { to: "OLD", text: "hello", by: "person" },
  note: { id: "OLD", text: "mine" },
  "follow-up": { id: "OLD", from: "work" },
  shutdown: {},
};
