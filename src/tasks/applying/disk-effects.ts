import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder, writeFileAtomically } from "../../base/files.ts";
import type { TaskEffects } from "../model/ports.ts";

export const diskEffects: TaskEffects = {
  write: (file, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileAtomically(file, text, { mode: 0o666, isInPlace: true, isDurable: true });
  },
  move: (from, to) => {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    syncFolder(dirname(to));
    syncFolder(dirname(from));
  },
  remove: (file) => {
    rmSync(file, { force: true });
    syncFolder(dirname(file));
  },
};
