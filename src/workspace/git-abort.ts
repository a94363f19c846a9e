export { getGitAbort, withGitAbort } from "./git/git-abort.ts";
