/** The files that one attempt leaves in the state folder, for readers. */
export { nameAttemptFiles, readAttemptProcess } from "./delegation/attempt-files.ts";
export { readReturnFile } from "./running/judge/read-return-file.ts";
