export { measureFolders } from "./watch/measure-folders.ts";
