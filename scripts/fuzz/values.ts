import type { Definitions, Schema } from "./operations";
import type { Random } from "./random";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const ODD_TIMES = [
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "9999-12-31T23:59:59-14:00",
  "2026-02-30T00:00:00Z",
];
const ODD_URLS = [
  "https://a.example/\u0000",
  "https://a.example/\ud800",
  "https://exa\tmple.com/",
  "https:\\\\example.com\\x",
  "http://169.254.169.254/",
  "https://user:pass@example.com/",
  "http://localhost:3000.evil.example",
  "//evil.example",
];

/**
 * Texts that tend to break things: bytes that databases refuse, limits of numbers and times, other languages' syntax.
 */
export const ODD_TEXTS: readonly string[] = [
  ...ODD_TIMES,
  ...ODD_URLS,
  "",
  " ",
  "x",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfffb",
  "\r\nX-Odd: 1",
  "\u202e\u200b",
  "é".normalize("NFD"),
  "😀".repeat(50),
  "a".repeat(5000),
  "0",
  "-1",
  "00",
  "1e9",
  "0x",
  "NaN",
  "18446744073709551615",
  "18446744073709551616",
  "9".repeat(80),
  "0.0000001",
  "1,5",
  "' or 1=1 --",
  "%s%n",
  "../../etc/passwd",
  "$(id)",
  "<script>",
  "__proto__",
  "@demo",
  "@",
];

const ODD_VALUES: readonly Json[] = [null, true, 0, -1, 1.5, 1e308, 9007199254740992, [], {}, [[]], { a: null }];

const NAMED: Readonly<Record<string, readonly Json[]>> = {
  to: ["@demo", "@nobody-here", "0x00000000000000000000000000000000000000a1"],
  amount: ["0.01", "0.000001", "1", "99999999"],
  url: ["https://example.com/hooks", "https://hooks.example.com:8443/a?b=c"],
  label: ["fuzz"],
  name: ["fuzz"],
  asset: ["USDG", "ETH"],
  memo: ["fuzz"],
  active_hours: ["00:00-24:00", "22:00-06:00"],
  // A deadline far in the future passes the first checks, so that later ones are reached.
  deadline: ["4102444800"],
};

const HEX = "0123456789abcdef";
const DEPTH = 6;
const ODD_SHARE = 0.4;

/** Returns any value at all. */
export function oddValue(random: Random): Json {
  return random.chance(0.6) ? random.pick(ODD_TEXTS) : random.pick(ODD_VALUES);
}

/**
 * Returns a value that matches the schema, as far as the schema is understood.
 *
 * @param ids texts to use as ids
 */
export function valueFor(
  schema: Schema,
  random: Random,
  definitions: Definitions,
  ids: readonly string[],
  name = "",
  depth = 0,
): Json {
  if (depth > DEPTH) return null;
  const resolved = schema.$ref ? (definitions[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  const choices = resolved.anyOf ?? resolved.oneOf;
  if (choices && choices.length > 0) return valueFor(random.pick(choices), random, definitions, ids, name, depth + 1);
  if (resolved.const !== undefined) return resolved.const as Json;
  if (resolved.enum) return random.pick(resolved.enum) as Json;
  if (name === "url" && random.chance(ODD_SHARE)) return random.pick(ODD_URLS);
  const named = NAMED[name];
  if (named && random.chance(0.8)) return random.pick(named);
  const type = Array.isArray(resolved.type) ? random.pick(resolved.type) : resolved.type;
  switch (type) {
    case "object": {
      const entries = Object.entries(resolved.properties ?? {}).filter(
        ([key]) => resolved.required?.includes(key) || random.chance(0.6),
      );
      return Object.fromEntries(
        entries.map(([key, inner]) => [key, valueFor(inner, random, definitions, ids, key, depth + 1)]),
      );
    }
    case "array": {
      const { items } = resolved;
      return Array.from({ length: random.below(4) }, () =>
        items ? valueFor(items, random, definitions, ids, name, depth + 1) : oddValue(random),
      );
    }
    case "integer":
      return (
        (resolved.minimum ?? 0) + random.below(Math.min(1000, (resolved.maximum ?? 1000) - (resolved.minimum ?? 0) + 1))
      );
    case "number":
      return random.below(1000) / 100;
    case "boolean":
      return random.chance(0.5);
    case "null":
      return null;
    case "string":
      return textOf(resolved, random, ids);
    default:
      return oddValue(random);
  }
}

function textOf({ pattern, format }: Schema, random: Random, ids: readonly string[]): string {
  // An almost valid value gets further than a random one.
  if (format === "date-time" && random.chance(ODD_SHARE)) return random.pick(ODD_TIMES);
  if (format === "date-time") return new Date(1_700_000_000_000 + random.below(200_000_000) * 1000).toISOString();
  const hex = /^\^0x\[0-9a-f\]\{(\d+)/.exec(pattern ?? "");
  if (hex) return `0x${random.text(HEX, Number(hex[1]))}`;
  if (pattern?.includes("[0-9]") || pattern?.includes("\\d")) return String(1 + random.below(1000));
  return random.chance(0.5) && ids.length > 0 ? random.pick(ids) : random.text(`${HEX}-_ @.`, random.below(20));
}

/** Returns the value with one place changed: replaced, left out, duplicated, or with an unexpected field. */
export function bend(value: Json, random: Random): Json {
  if (typeof value !== "object" || value === null || random.chance(0.06)) return oddValue(random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, oddValue(random)];
    const at = random.below(value.length);
    return value.map((entry, index) => (index === at ? bend(entry, random) : entry));
  }
  const keys = Object.keys(value);
  if (keys.length === 0 || random.chance(0.1)) return { ...value, [random.pick(ODD_TEXTS)]: oddValue(random) };
  const key = random.pick(keys);
  if (random.chance(0.1)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: bend(value[key] ?? null, random) };
}
