/** What one test guarantees: its name, and where it stands. */
export interface Guarantee {
  file: string;
  name: string;
}

/** How the guarantees of two commits differ. */
export interface Difference {
  gone: Guarantee[];
  moved: { name: string; from: string; to: string }[];
  added: Guarantee[];
}

/** A file whose tests have names. */
export const TEST_FILE = /\.(test|spec)\.tsx?$|\.t\.sol$|(^|\/)test_\w+\.py$/;

const CALL = /\b(?:test|it)(?:\.\w+)*(?=\()/g;
const FUNCTION = /\bfunction ((?:test|invariant)\w*)\(|^\s*(?:async )?def (test_\w+)\(/gm;

/** Returns the position after the bracket that closes the one at `start`. */
function afterBracket(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source[at] ?? "";
    if ("\"'`".includes(char)) at = endOfText(source, at);
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char) && --depth === 0) return at + 1;
  }
  return source.length;
}

/** Returns the position of the quote that ends the text whose first quote is at `start`. */
function endOfText(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === "\\") at += 1;
    else if (source[at] === source[start]) return at;
  }
  return source.length;
}

/** Returns the text that begins at or after `start`, past whitespace and one opening bracket; undefined for other code. */
function textAt(source: string, start: number): string | undefined {
  const at = start + (/^\(\s*/.exec(source.slice(start, start + 200))?.[0].length ?? 0);
  return "\"'`".includes(source[at] ?? " ") ? source.slice(at + 1, endOfText(source, at)) : undefined;
}

/** Returns the names of the tests in a file's source, in order. A table of cases (`test.each`) counts once. */
export function guaranteesOf(file: string, source: string): Guarantee[] {
  const names = /\.tsx?$/.test(file)
    ? [...source.matchAll(CALL)].flatMap(({ index, 0: call }) => {
        const open = index + call.length;
        const name = textAt(source, /\.(each|for|prop)$/.test(call) ? afterBracket(source, open) : open);
        return name === undefined ? [] : [name];
      })
    : [...source.matchAll(FUNCTION)].map(([, solidity, python]) => solidity ?? python ?? "");
  return names.map((name) => ({ file, name }));
}

/** Compares the guarantees of two commits by their names: one that stands in another file has moved. */
export function compareGuarantees(before: readonly Guarantee[], after: readonly Guarantee[]): Difference {
  const key = ({ file, name }: Guarantee) => `${file}\0${name}`;
  const [stood, stand] = [new Set(before.map(key)), new Set(after.map(key))];
  const left = before.filter((one) => !stand.has(key(one)));
  const added = after.filter((one) => !stood.has(key(one)));
  const places = new Map<string, string[]>();
  for (const { file, name } of added) places.set(name, [...(places.get(name) ?? []), file]);
  const moved = left.flatMap(({ file, name }) => {
    const to = places.get(name)?.shift();
    return to === undefined ? [] : [{ name, from: file, to }];
  });
  const arrived = new Set(moved.map(({ name, to }) => key({ file: to, name })));
  const departed = new Set(moved.map(({ name, from }) => key({ file: from, name })));
  return {
    gone: left.filter((one) => !departed.has(key(one))),
    moved,
    added: added.filter((one) => !arrived.has(key(one))),
  };
}
