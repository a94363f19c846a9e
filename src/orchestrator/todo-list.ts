export { readTodoList } from "./todos/read-todos.ts";
