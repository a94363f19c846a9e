export type { AppContext } from "./project/app-context.ts";
