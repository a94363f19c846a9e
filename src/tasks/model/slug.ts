const MAX_SLUG_LENGTH = 50;

/** Makes `fix_login_page` of a title, the second half of the name of a task folder. */
export function makeTitleSlug(title: string): string {
  const plain = title.normalize("NFKD").toLowerCase();
  const words: string[] = [];
  let word = "";
  for (const character of `${plain} `) {
    const isPart = (character >= "a" && character <= "z") || (character >= "0" && character <= "9");
    if (isPart) word += character;
    else if (isCombiningMark(character)) continue;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return joinFittingWords(words) || "task";
}

/** An accent that NFKD split off its letter. */
function isCombiningMark(character: string): boolean {
  return character >= "\u0300" && character <= "\u036f";
}

/** Joins as many whole words as fit. */
function joinFittingWords(words: readonly string[]): string {
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}_${word}`;
    if (longer.length > MAX_SLUG_LENGTH) return slug === "" ? longer.slice(0, MAX_SLUG_LENGTH) : slug;
    slug = longer;
  }
  return slug;
}
