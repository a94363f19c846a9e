import { openRepository } from "../../src/workspace/repository.ts";
import { createWorkspace } from "../../src/workspace/worktree.ts";

/** Makes one workspace in a process of its own: root, home, state folder, id, base. */
const [root = "", home = "", stateDirectory = "", id = "", base = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
const workspace = await createWorkspace({ repository, stateDirectory }, { id, base });
process.stdout.write(`${JSON.stringify(workspace)}\n`);
