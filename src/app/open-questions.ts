export { answeringCommands, readOpenQuestions, type OpenQuestion } from "./project/open-questions.ts";
