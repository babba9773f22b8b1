const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Limits of a JSON text that cost more to parse than their bytes say. */
interface JsonLimits {
  /** Lists and objects inside each other. */
  depth: number;
  /** Values in lists and objects, counted together. */
  values: number;
}

/** Why a text is not parsed, and the index of the character that shows it. */
export type JsonFault = { kind: "deep" | "many"; at: number } | { kind: "twice"; at: number; path: string };

/**
 * Returns the first fault of a JSON text that `JSON.parse` does not find: more depth or values than allowed, or a name
 * that occurs twice in an object. JSON parsers disagree about which of the two counts (RFC 8259, section 4), so one
 * program could check one value while another pays the other.
 *
 * Runs in one pass without recursion and stops at the fault, so it is cheap before `JSON.parse`, whatever the text.
 */
export function scanJson(json: string, limits: JsonLimits): JsonFault | undefined {
  /** Names seen in each open object, outermost first; null for a list. */
  const open: (Set<string> | null)[] = [];
  /** The current name in each open object. */
  const path: string[] = [];
  let names: Set<string> | null = null;
  let expectsName = false;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        // `JSON.parse` refuses a string without an end.
        if (end < 0) return undefined;
        if (names && expectsName) {
          const name = textOf(json, at, end);
          path[open.length - 1] = name;
          if (names.has(name)) return { kind: "twice", at, path: path.slice(0, open.length).filter(Boolean).join(".") };
          names.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (open.length === limits.depth) return { kind: "deep", at };
        if (++values > limits.values) return { kind: "many", at };
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
        if (++values > limits.values) return { kind: "many", at };
        expectsName = names !== null;
        break;
      case COLON:
        expectsName = false;
        break;
    }
  }
  return undefined;
}

/** Returns the index of a string's closing quote; -1 if it has none. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    if (end < 0) return end;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
}

/** Decodes a name: `"\u0061mount"` is the same name as `"amount"`. `JSON.parse` refuses one that is malformed. */
function textOf(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
