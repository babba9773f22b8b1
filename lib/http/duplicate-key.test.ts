import fc from "fast-check";
import { expect, it } from "vitest";
import { duplicateKey } from "./duplicate-key";

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

it("reads the largest body however deep it is", () => {
  const deep = 30_000;
  expect(duplicateKey("[".repeat(deep) + "]".repeat(deep))).toBeUndefined();
  expect(duplicateKey(`${'{"a":'.repeat(deep)}1${"}".repeat(deep)}`)).toBeUndefined();
});
