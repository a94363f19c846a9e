import { advanceWorkspace } from "../../src/workspace/advance-workspace.ts";
import { openRepository } from "../../src/workspace/repository.ts";

/** Advances one workspace in a process of its own: root, home, state folder, id, path, commit. */
const [root = "", home = "", stateDirectory = "", id = "", path = "", to = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
await advanceWorkspace({ repository, stateDirectory }, { id, path, to });
