import { describe, expect, test } from "vitest";
import { isContained } from "./release";

const lock = (packages: Record<string, { version: string; integrity?: string }>) =>
  JSON.stringify({ packages: { "": { version: "1.0.0" }, ...packages } });

describe("modules of one version serve another", () => {
  const old = lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-a" } });

  test("when it needs no others", () => {
    const more = { "node_modules/b": { version: "2.0.0", integrity: "sha512-b" } };
    expect(isContained(old, lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-a" }, ...more }))).toBe(
      true,
    );
    expect(isContained(old, old)).toBe(true);
  });

  test.each([
    ["one is missing", lock({})],
    ["one has another version", lock({ "node_modules/a": { version: "1.0.1", integrity: "sha512-a" } })],
    ["one has other bytes", lock({ "node_modules/a": { version: "1.0.0", integrity: "sha512-x" } })],
    ["one is unchecked", lock({ "node_modules/a": { version: "1.0.0" } })],
  ])("not when %s", (_, other) => {
    expect(isContained(old, other)).toBe(false);
  });

  test("the repository's own number does not count", () => {
    expect(isContained(old, old.replace('"1.0.0"', '"9.0.0"'))).toBe(true);
  });
});
