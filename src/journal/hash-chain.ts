export { chainHash, emptyChainHash } from "./model/hash-chain.ts";
