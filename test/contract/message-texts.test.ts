import { expect, it } from "vitest";
import { messageMaxBytes, parseMessage } from "../../src/contract/message.ts";
import { checkTodos, migrateLegacyTodo } from "../../src/contract/todo-item.ts";

const assignment = {
  type: "task_assignment",
  task_id: "t",
  content: "Fix the login",
  acceptance_criteria: ["All tests pass"],
};
const todo = { id: "a", content: "Fix it", activeForm: "Fixing it", status: "pending" };

it.each<[unknown, string, string]>([
  [undefined, "NOT_JSON", "The message cannot be written as JSON"],
  [10n, "NOT_JSON", "The message cannot be written as JSON"],
  ["not json", "NOT_JSON", "The message is not valid JSON"],
  ["[]", "NOT_AN_OBJECT", "The message must be a JSON object"],
  ["x".repeat(messageMaxBytes + 1), "TOO_LARGE", "The message has 65537 bytes; at most 65536 are allowed"],
  [
    { ...assignment, acceptance_criteria: [] },
    "INVALID_FIELD:acceptance_criteria",
    "Invalid field acceptance_criteria: must not be empty",
  ],
  [{ ...assignment, content: " " }, "INVALID_FIELD:content", "Invalid field content: must not be empty"],
])("says exactly why a message is refused (C38): %#", (input, code, message) => {
  expect(parseMessage(input)).toStrictEqual({ status: "invalid", problems: [{ code, message }] });
});

it.each<[unknown, object]>([
  ["not json", { code: "NOT_JSON", message: "The task list is not valid JSON" }],
  [{}, { code: "NOT_AN_ARRAY", message: "Tasks must be a list, or an object with a list named todos" }],
  [[5], { code: "NOT_AN_OBJECT", message: "Task 0 is not an object", index: 0 }],
  [
    [todo, { ...todo, id: "b", content: "" }],
    { code: "MISSING:content", message: "Task 1 needs a non-empty content", index: 1 },
  ],
  [[todo, todo], { code: "DUPLICATE_ID", message: "Task 1: id a is used twice", index: 1 }],
])("says exactly why a task list is refused (R161): %#", (input, problem) => {
  expect(checkTodos(input)).toStrictEqual({
    valid: false,
    codes: [Reflect.get(problem, "code")],
    problems: [problem],
    todos: [],
  });
});

it("a problem names the task and the field of a wrong value", () => {
  const [problem] = checkTodos([{ ...todo, context: 5 }]).problems;
  expect(problem?.code).toBe("INVALID_FIELD:context");
  expect(problem?.message).toMatch(/^Task 0: context: ./);
});

it("a warning names a migrated task by its content, or by an empty text if it has none (R166)", () => {
  const place = { index: 3, timestamp: 17 };
  expect(migrateLegacyTodo({ content: "Fix it" }, place).warning).toBe(
    '[Session State] Migrating task without ID: "Fix it" → migrated-3-17',
  );
  expect(migrateLegacyTodo({ content: 5 }, place).warning).toBe(
    '[Session State] Migrating task without ID: "" → migrated-3-17',
  );
});
