export { debugName, environmentNames } from "./model/environment-names.ts";
