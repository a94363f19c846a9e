import { importWork } from "../../src/workspace/import-work.ts";
import { releaseWorkspace } from "../../src/workspace/remove.ts";
import { openRepository } from "../../src/workspace/repository.ts";

/** Imports and releases one workspace in a process of its own: root, home, state folder, id, path. */
const [root = "", home = "", stateDirectory = "", id = "", path = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
await importWork({ repository, stateDirectory }, { id, message: "Work\n" });
await releaseWorkspace({ repository, stateDirectory }, { id, path });
