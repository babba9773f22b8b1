import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMMAND_CASES, STARTED_ELSEWHERE } from "@/test/installed/commands";
import { METHOD_CASES } from "@/test/installed/methods";
import { everyCommand } from "@/test/sdk/command-line";
import { METHODS } from "@/test/sdk/every-method";

// `npm run test:long -- installed` runs each case twice, with the package as people install it.

test("every command has a case of the installed package, or a test that starts it as installed", () => {
  const { commands } = everyCommand();
  const leaves = commands.filter(([path, { commands: below }]) => path !== "" && below.length === 0);
  const withoutCase = leaves.map(([path]) => path).filter((path) => !(path in COMMAND_CASES));
  expect(withoutCase.sort()).toEqual(Object.keys(STARTED_ELSEWHERE).sort());
  const paths = commands.map(([path]) => path);
  expect(Object.keys(COMMAND_CASES).filter((path) => !paths.includes(path))).toEqual([]);
  for (const [name, file] of Object.entries(STARTED_ELSEWHERE)) {
    expect(readFileSync(file, "utf8"), file).toMatch(new RegExp(`\\[[^\\]]*"${name.replace(" ", '", "')}"`));
  }
});

test("every method of the client has a case of the installed package", () => {
  expect(Object.keys(METHOD_CASES).sort()).toEqual(METHODS.map(([name]) => name).sort());
});
