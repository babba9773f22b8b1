import fc from "fast-check";
import { expect, test } from "vitest";
import { generateApiKey } from "./api-key";
import { homeKeysSent } from "./find-home-keys";
import { generateHomeKey } from "./home-key";

test("home keys are found anywhere in a text, and nothing else is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (before, after) => {
      const key = generateHomeKey(4663);
      expect(homeKeysSent(`${before}${key}${after}`)).toContain(key);
      const changed = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
      expect(homeKeysSent(`${before}${changed}`)).toEqual([]);
    }),
  );
  const key = generateHomeKey(46630);
  expect(homeKeysSent(`hch_test_${key}hch_live_`)).toEqual([key]);
  expect(homeKeysSent(generateApiKey(46630))).toEqual([]);
});
