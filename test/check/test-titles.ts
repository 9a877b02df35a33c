/** Titles of tests as they are written, with the rows they claim to show: `[R21]`, `[R5, R6]`. */
const CALL = /\b(?:test|it|describe)\s*((?:\.\w+\s*)*)\(/g;
const STRING = /(['"`])((?:\\.|(?!\1)[\s\S])*)\1/y;

export function titlesIn(text: string): string[] {
  return [...text.matchAll(CALL)].flatMap((call) => {
    let begin = call.index + call[0].length;
    // `test.each(table)(title, …)`: the title is the first argument of the second call.
    if (/\.(each|for|runIf|skipIf)\s*$/.test(call[1] ?? ''))
      begin = text.indexOf('(', endOfCall(text, begin)) + 1;
    const title = stringAt(text, begin + (/^\s*/.exec(text.slice(begin))?.[0].length ?? 0));
    return title === null ? [] : [title.content.replaceAll(/\\(.)/g, '$1')];
  });
}

export function rowsIn(title: string): string[] {
  return [...title.matchAll(/\[(R\d+(?:[,\s]+R\d+)*)\]/g)].flatMap((match) =>
    (match[1] ?? '').split(/[,\s]+/),
  );
}

/** The place behind the parenthesis that closes the call whose arguments begin at `begin`. */
function endOfCall(text: string, begin: number): number {
  let depth = 1;
  for (let index = begin; index < text.length; index++) {
    const string = stringAt(text, index);
    if (string !== null) index = string.end - 1;
    else if (text[index] === '(') depth += 1;
    else if (text[index] === ')' && (depth -= 1) === 0) return index + 1;
  }
  return text.length;
}

function stringAt(text: string, index: number): { content: string; end: number } | null {
  STRING.lastIndex = index;
  const match = STRING.exec(text);
  return match === null ? null : { content: match[2] ?? '', end: STRING.lastIndex };
}
