import { expect, test } from "vitest";
import { everyCommand } from "@/test/sdk/command-line";
import { METHODS } from "@/test/sdk/every-method";
import { PAYING, REPORTING } from "./client-actions";
import { COMMANDS_WITHOUT_LIES, METHODS_WITHOUT_LIES } from "./nothing-to-lie";

const VERBS = [...PAYING, ...REPORTING];
const TRIED = new Set(VERBS.flatMap(({ of }) => of));

test("every method of the client is tried with lies, or has a reason why there is nothing to lie about", () => {
  const methods = METHODS.map(([name]): string => name);
  const named = [...TRIED].filter((name) => !/^(halcyon|wallet) /.test(name));
  expect(methods.filter((name) => !TRIED.has(name) && !(name in METHODS_WITHOUT_LIES))).toEqual([]);
  expect(methods.filter((name) => TRIED.has(name) && name in METHODS_WITHOUT_LIES)).toEqual([]);
  const known = new Set(methods);
  expect([...named, ...Object.keys(METHODS_WITHOUT_LIES)].filter((name) => !known.has(name))).toEqual([]);
});

test("every command is tried with lies, or has a reason why not", () => {
  const { commands } = everyCommand();
  // A group prints its help.
  const runs = commands.flatMap(([path, command]) => {
    const isGroup = command.commands.length > 0 && !("_actionHandler" in command && command._actionHandler);
    return path === "" || isGroup ? [] : [path];
  });
  expect(runs.filter((path) => !TRIED.has(`halcyon ${path}`) && !(path in COMMANDS_WITHOUT_LIES))).toEqual([]);
  const known = new Set(runs);
  const named = [...TRIED].flatMap((name) => (name.startsWith("halcyon ") ? [name.slice(8)] : []));
  expect([...named, ...Object.keys(COMMANDS_WITHOUT_LIES)].filter((path) => !known.has(path))).toEqual([]);
});

test("each verb has a name of its own, by which it can be tried alone", () => {
  const names = VERBS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
