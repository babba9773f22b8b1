import fc from "fast-check";
import { expect, it } from "vitest";
import { type JsonFault, scanJson } from "./scan-json";

const ANY = { depth: 1_000, values: 1_000_000 };
const pathOf = (fault: JsonFault | undefined) => (fault?.kind === "twice" ? fault.path : undefined);
const duplicateKey = (json: string) => pathOf(scanJson(json, ANY));

it.each([
  ['{"amount":"1","amount":"2"}', "amount"],
  ['{"amount":"1", "to":"@bob",\n "amount" : "1"}', "amount"],
  ['{"amount":"1","\\u0061mount":"2"}', "amount"],
  ['{"a":{"b":1},"c":{"b":1,"d":[{"e":1},{"e":2,"e":3}]}}', "c.d.e"],
  ['[{"a":1},{"a":1,"a":1}]', "a"],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"":1,"":2}', ""],
])("finds the name that an object of %s has twice", (json, path) => {
  expect(duplicateKey(json)).toBe(path);
});

it.each([
  '{"a":"b","b":"a"}',
  '[{"a":1},{"a":1}]',
  '{"a":{"a":{"a":"a,\\"a\\":"}}}',
  '"a"',
  "1",
  '{"a":["a","a","b"]}',
  "{}",
])("finds none in %s", (json) => {
  expect(duplicateKey(json)).toBeUndefined();
});

it("finds none in whatever JSON.stringify writes, and every name that is written twice", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(duplicateKey(JSON.stringify(value, null, 1))).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (name, value) => {
      const [key, inner] = [JSON.stringify(name), JSON.stringify(value)];
      expect(duplicateKey(`{"x-":0,${key}:${inner},"y-":${inner},${key}:1}`)).toBe(name);
    }),
  );
});

const LIMITS = { depth: 20, values: 100 };

it.each([
  ["[".repeat(2_000_000), { kind: "deep", at: 20 }],
  ['{"a":'.repeat(2_000_000), { kind: "deep", at: 100 }],
  [`[${"1,".repeat(2_000_000)}1]`, { kind: "many", at: 198 }],
  [`[${"[],".repeat(2_000_000)}1]`, { kind: "many", at: 148 }],
])("stops at the character that shows that a text costs too much", (json, fault) => {
  expect(scanJson(json, LIMITS)).toEqual(fault);
});

it("counts values as they are, and no deeper and no more than that is refused", () => {
  const countOf = (value: unknown): number =>
    value !== null && typeof value === "object"
      ? Object.values(value).reduce<number>((sum, each) => sum + countOf(each), 1)
      : 1;
  const depthOf = (value: unknown): number =>
    value !== null && typeof value === "object" ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value);
      const [depth, values] = [depthOf(value), countOf(value)];
      // An empty list counts as if it had an element.
      expect(scanJson(json, { depth, values: 2 * values })).toBeUndefined();
      if (depth > 0) expect(scanJson(json, { depth: depth - 1, values: 2 * values })).toMatchObject({ kind: "deep" });
      if (values > 1) expect(scanJson(json, { depth, values: Math.ceil(values / 2) - 1 })).toBeDefined();
    }),
  );
});

it("ends on any text, also on one that is not JSON", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'"\\{}[],:au0 '), maxLength: 40 }), (text) => {
      const fault = scanJson(text, ANY);
      expect(fault === undefined || fault.at < text.length).toBe(true);
    }),
  );
});
