/** The errors of workflow commands and their workers, in the form of errors.json. */
export { readErrors, type ErrorRecord } from "./workflow/read-errors.ts";
