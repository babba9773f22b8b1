import { expect, test } from "vitest";
import { toModule } from "./to-module";

test("a later block sees what an earlier one declared, and can declare it again", () => {
  const blocks = [
    'import { a } from "x";\nconst one = a;',
    'import { a, b } from "x";\nimport type { T } from "y";\nexport const two: T = b(one);',
    "const one = 1;",
  ];
  expect(toModule({ name: "guide", blocks }).replace(/\n+/g, "\n")).toBe(
    [
      'import type { T } from "y";',
      'import { a, b } from "x";',
      "export {};",
      "{",
      "const one = a;",
      "{",
      "const two: T = b(one);",
      "{",
      "const one = 1;",
      "}}}",
    ].join("\n"),
  );
});

test("a block imports a file of the reader's own from an earlier block, and a taken name from its own package", () => {
  const blocks = [
    'import { a } from "x";\nexport const own = a;',
    'import { a, b } from "y";\nimport { own } from "./own";\nb(a, own);',
  ];
  expect(toModule({ name: "guide", blocks }).replace(/\n+/g, "\n")).toBe(
    [
      'import { a } from "x";',
      'import { b } from "y";',
      "export {};",
      "{",
      "const own = a;",
      "{",
      'const { a } = await import("y");',
      "b(a, own);",
      "}}",
    ].join("\n"),
  );
});
