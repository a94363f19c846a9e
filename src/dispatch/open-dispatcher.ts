export { checkRedis } from "./bull/check-redis.ts";
export { openBull as openDispatcher } from "./bull/open-bull.ts";
export { preparePostgres as prepareDispatch } from "./bull/prepare-postgres.ts";
export type { Dispatcher, Offer } from "./bull/dispatcher.ts";
export { Dispatchers } from "./bull/dispatchers.ts";
