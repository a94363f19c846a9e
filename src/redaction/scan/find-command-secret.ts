import { skipCharacters, type Span } from "./characters.ts";

const LOOK_BACK = 300;
const MAX_WORD_LENGTH = 512;

/** The password in `curl -u user:password` and `mysql -ppassword`; `at` is where the flag begins. */
export function findCommandSecret(text: string, at: number): Span | undefined {
  const before = text.charAt(at - 1);
  if (before !== " " && before !== "\t") return undefined;
  const line = readLineBefore(text, at);
  if (text.startsWith("-u", at) || text.startsWith("--user ", at)) {
    return /\b(?:curl|wget|https?|xh|gh|npm)\b/.test(line) ? findUserPassword(text, at) : undefined;
  }
  return /\b(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|7z|unzip)\b/.test(line)
    ? findShortPassword(text, at)
    : undefined;
}

function readLineBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - LOOK_BACK), at);
  return near.slice(near.lastIndexOf("\n") + 1);
}

function findUserPassword(text: string, at: number): Span | undefined {
  const flag = text.startsWith("--user", at) ? "--user".length : 2;
  const start = skipCharacters(text, at + flag, " \t'\"=");
  const word = readWord(text, start);
  const colon = word.indexOf(":");
  if (colon < 1 || colon === word.length - 1 || /^(?:\d+:\d+|.*:[[$<{*/].*)$/.test(word)) return undefined;
  return { start: start + colon + 1, end: start + word.length };
}

function findShortPassword(text: string, at: number): Span | undefined {
  const start = skipCharacters(text, at + 2, " '\"");
  const word = readWord(text, start);
  return word.length < 4 || /^[[$<{*-]/.test(word) || /^\d{1,5}$/.test(word)
    ? undefined
    : { start, end: start + word.length };
}

function readWord(text: string, start: number): string {
  return /^[^\s'"`\\]*/.exec(text.slice(start, start + MAX_WORD_LENGTH))?.[0] ?? "";
}

/** `machine host login user password x`, the form of a netrc file. */
export function findNetrcPassword(text: string, at: number): Span | undefined {
  if (
    !text.startsWith("password ", at) ||
    !/\blogin \S+\s+$/.test(text.slice(Math.max(0, at - LOOK_BACK), at))
  )
    return undefined;
  const start = at + "password ".length;
  const word = readWord(text, start);
  return word === "" || word.startsWith("[") ? undefined : { start, end: start + word.length };
}

/** `123456789:AA…`, the token of a Telegram bot; `sign` is where the colon is. */
export function findBotToken(text: string, sign: number): Span | undefined {
  if (!text.startsWith(":AA", sign)) return undefined;
  const number = /(?<!\w)\d{8,10}$/.exec(text.slice(Math.max(0, sign - 12), sign))?.[0];
  const body = /^[\w-]{35}(?![\w-])/.exec(text.slice(sign + 1, sign + 40))?.[0];
  if (number === undefined || body === undefined) return undefined;
  return { start: sign - number.length, end: sign + 1 + body.length };
}

/** The client secret of an Azure application has `Q~` after its fourth character. */
export function findAzureSecret(text: string, at: number): Span | undefined {
  const start = at - 4;
  const word = /^[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w.~-])/.exec(text.slice(Math.max(0, start), at + 40))?.[0];
  return start < 0 || word === undefined ? undefined : { start, end: start + word.length };
}
