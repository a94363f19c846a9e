import { openRepository } from "../../src/workspace/repository.ts";
import { applyMerge, undoMerge } from "../../src/workspace/user-merge.ts";

/** Merges one story, or undoes it, in a process of its own: root, home, state folder, story, tip or `undo`. */
const [root = "", home = "", stateDirectory = "", story = "", tip = ""] = process.argv.slice(2);
const repository = await openRepository(root, { searchPath: process.env["PATH"] ?? "", home });
const context = { repository, stateDirectory };
const done = tip === "undo" ? await undoMerge(context, { story }) : await applyMerge(context, { story, tip });
process.stdout.write(`${JSON.stringify(done)}\n`);
