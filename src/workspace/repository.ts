export { type GitHost, openRepository, type Repository } from "./git/repository.ts";
