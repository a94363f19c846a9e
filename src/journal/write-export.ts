export { writeAtomically as writeExport, type Chunk } from "./export/write-atomically.ts";
