export { FileTail, type TailLine } from "./watch/tail-file.ts";
