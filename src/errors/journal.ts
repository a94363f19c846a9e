import { type DelegationError, readErrorMessage } from "../base/delegation-error.ts";
import { explainFileTrouble } from "../base/file-trouble.ts";
import { makeError } from "./make-error.ts";

/** Opening, writing and exporting the store. */
export const journalErrors = {
  storyExists: (id: string): DelegationError =>
    makeError({
      code: "STORY_EXISTS",
      message: `A story with the id ${id} is already in this store.`,
      advice: `Choose another id, or look at it with ambit tree ${id}.`,
    }),
  illegalTransition: (event: string, id: string, state: string): DelegationError =>
    makeError({
      code: "ILLEGAL_TRANSITION",
      message: `${event} does not apply to ${id}, which is ${state || "unknown"}.`,
      advice: "Nothing was changed. Look at its history with ambit audit.",
    }),
  storeTooNew: (file: string, version: number, known: number): DelegationError =>
    makeError({
      code: "STORE_TOO_NEW",
      message: `The store ${file} has version ${version}; this ambit supports versions up to ${known}.`,
      advice: "Update ambit: a newer version wrote this store. It was not changed.",
    }),
  /** Only a writer may rebuild projections; any writing command does it at its start. */
  projectionsOutdated: (file: string): DelegationError =>
    makeError({
      code: "STORE_UNUSABLE",
      message: `The projections of the store ${file} are of another version.`,
      advice: "Rebuild them from the journal: ambit audit --rebuild",
      recoverable: true,
    }),
  storeBusy: (seconds: number, cause: unknown): DelegationError =>
    makeError({
      code: "STORE_BUSY",
      message: `Another process has kept the store locked for ${seconds} s.`,
      advice: "See which ambit process is running (ambit status), stop it or wait, then try again.",
      recoverable: true,
      cause,
    }),
  storeUnusable: (file: string, cause: unknown): DelegationError =>
    explainFileTrouble(cause, file) ??
    makeError({
      code: "STORE_UNUSABLE",
      message: `The store ${file} cannot be used: ${readErrorMessage(cause)}`,
      advice: "Check that the folder exists, is writable and has free space, then run the command again.",
      cause,
    }),
  sqliteTooOld: (version: string): DelegationError =>
    makeError({
      code: "SQLITE_TOO_OLD",
      message: `SQLite ${version} can lose committed data when several processes write; 3.51.3 or newer is required.`,
      advice: "Reinstall ambit so that it brings its own SQLite.",
    }),
  eventUnreadable: (seq: number, cause: unknown): DelegationError =>
    makeError({
      code: "CHAIN_BROKEN",
      message: `Event ${seq} of the journal cannot be read.`,
      advice: "Check the journal with ambit audit --verify. Nothing was exported.",
      cause,
    }),
  exportUnwritable: (path: string, cause: unknown): DelegationError =>
    makeError({
      code: "OUTPUT_UNWRITABLE",
      message: `The export ${path} cannot be written: ${readErrorMessage(cause)}`,
      advice: "Name a folder you may write to with --out, and check that the disk has free space.",
      cause,
    }),
};
