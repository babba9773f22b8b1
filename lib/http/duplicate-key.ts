const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Returns the dotted path of the first name that occurs twice in an object of this text; undefined if there is none.
 * JSON parsers disagree about which of the two counts (RFC 8259, section 4), so one program could check one value while
 * another pays the other.
 *
 * Runs in one pass without recursion, because a body is parsed before its caller's rights are known.
 *
 * @param json text that `JSON.parse` accepts
 */
export function duplicateKey(json: string): string | undefined {
  /** Names seen in each open object, outermost first; null for a list. */
  const open: (Set<string> | null)[] = [];
  /** The current name in each open object. */
  const path: string[] = [];
  let names: Set<string> | null = null;
  let expectsName = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (names && expectsName) {
          const name = textOf(json, at, end);
          path[open.length - 1] = name;
          if (names.has(name)) return path.slice(0, open.length).filter(Boolean).join(".");
          names.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        names = json.charCodeAt(at) === OPEN_OBJECT ? new Set() : null;
        open.push(names);
        path[open.length - 1] = "";
        expectsName = names !== null;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        names = open.at(-1) ?? null;
        expectsName = false;
        break;
      case COMMA:
        expectsName = names !== null;
        break;
      case COLON:
        expectsName = false;
        break;
    }
  }
  return undefined;
}

/** Returns the index of a string's closing quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
}

/** Decodes a name: `"\u0061mount"` is the same name as `"amount"`. */
function textOf(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end);
  return raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
}
