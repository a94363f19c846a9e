import { openRepository } from "../../src/workspace/repository.ts";
import { createSandboxClone } from "../../src/workspace/sandbox-clone.ts";

/** Makes one private clone in a process of its own: root, home, state folder, id, base. */
const [root = "", home = "", stateDirectory = "", id = "", base = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
await createSandboxClone({ repository, stateDirectory, id, base });
