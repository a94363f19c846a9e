import { agentsOf, check, checkCompleted, checkNothingRuns, same } from "../harness/checks.ts";
import type { Scenario } from "../harness/scenario.ts";
import { bothFiles, copyPoem, poet } from "./scripts.ts";

const STORY = "S-1";
const TODO = "write-poem";

export const tasks: Scenario = {
  name: "tasks",
  about:
    "keeps a task list by the MCP tool, delegates from it to another CLI, hears from the worker and completes what is proven",
  shape: "pair",
  play: async ({ manager, worker, open }) => {
    const todo = {
      id: TODO,
      content: "Write the poem @@S:worker",
      activeForm: "Writing the poem",
      status: "delegated",
      delegated_to: worker.name,
      acceptance_criteria: ["`test -s poem.txt` exits with code 0"],
    };
    const say = (message: object) => ({
      call: { tool: "send_agent_message", arguments: { to: "manager", message: JSON.stringify(message) } },
    });
    const machine = await open({
      scripts: {
        manager: [
          { call: { tool: "task_update", arguments: { todos: [todo] } } },
          { call: { tool: "wait", arguments: {} } },
          { call: { tool: "list_pending_messages", arguments: {} } },
          { call: { tool: "task_update", arguments: { todos: [{ id: TODO, status: "completed" }] } } },
          ...copyPoem,
        ],
        worker: [
          say({ type: "ack" }),
          say({ type: "task_progress", progress_summary: "one line of one" }),
          ...poet,
        ],
      },
    });
    const run = await machine.json("run", "Make a book @@S:manager", "--agent", manager.name, "--id", STORY);
    checkCompleted(machine, run, bothFiles);
    same(
      await agentsOf(machine, STORY),
      [`${manager.name} completed`, `${worker.name} completed`],
      "agents and how they ended",
    );
    const { document: lists } = await machine.json("todos", STORY);
    const todos: readonly { id: string; status: string; delegated_to: string }[] = lists["todos"];
    same(
      todos.map(({ id, status, delegated_to: who }) => `${id} ${status} ${who}`),
      [`${TODO} completed ${worker.name}`],
      "the task list",
    );
    const { document: said } = await machine.json("message", "list", STORY);
    const messages: readonly { message: { type: string } }[] = said["messages"];
    const kinds = messages.map(({ message }) => message.type);
    for (const kind of ["task_assignment", "ack", "task_progress", "task_completion"])
      check(kinds.includes(kind), `no ${kind} among ${kinds.join(", ")}`);
    await checkNothingRuns(machine);
  },
};
