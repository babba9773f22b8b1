import { expect, test } from "vitest";
import { paletteKey } from "./palette-key";

const key = (change: Partial<Parameters<typeof paletteKey>[0]> = {}) => {
  return { key: "k", metaKey: false, ctrlKey: true, repeat: false, ...change };
};

test("the key of search opens it, and closes it once it is on screen", () => {
  for (const pressed of [key(), key({ ctrlKey: false, metaKey: true }), key({ key: "K" })]) {
    expect(paletteKey(pressed, false)).toBe("open");
    expect(paletteKey(pressed, true)).toBe("close");
  }
  expect(paletteKey(key({ ctrlKey: false }), true)).toBeNull();
  expect(paletteKey(key({ key: "j" }), false)).toBeNull();
});

test("a key that is held neither opens nor closes it again, and stays the key of search", () => {
  expect(paletteKey(key({ repeat: true }), false)).toBe("nothing");
  expect(paletteKey(key({ repeat: true }), true)).toBe("nothing");
});
