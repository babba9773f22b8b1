import { expect, test } from "vitest";
import { DOORS, type Door, doorOf } from "@/lib/http/doors";
import { type Attack, attacks, callersOf } from "./doors";

const ALL = attacks();
const doorsHit = (manner: Attack["manner"]) => [
  ...new Set(ALL.filter((one) => one.manner === manner).map(({ door }) => door)),
];
const ROWS = Object.entries<Door>(DOORS);

test("every door is attacked, by its own paths, and with a key or a session where these matter", () => {
  for (const [name, door] of ROWS) {
    const own = ALL.filter((attack) => attack.door === name);
    for (const manner of new Set(own.map((attack) => attack.manner))) {
      expect(
        own.filter((attack) => attack.manner === manner).map(({ by }) => by),
        `${name}, ${manner}`,
      ).toEqual(["no one", ...callersOf(door)]);
    }
    for (const { path } of own.flatMap(({ requests }) => requests)) {
      expect(doorOf(path.split("?")[0] ?? ""), path).toBe(door);
    }
  }
  expect(doorsHit("requests")).toEqual(ROWS.map(([name]) => name));
  expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
});

test("every door that takes a body is attacked by slow ones and by nested ones", () => {
  // A stream takes none.
  const taking = ROWS.filter(([name, { methods }]) => methods !== "read" && name !== "stream").map(([name]) => name);
  expect(doorsHit("slow bodies")).toEqual(taking);
  expect(doorsHit("nested bodies")).toEqual(taking);
});

test("doors with large responses are attacked by readers that are slow", () => {
  expect(doorsHit("slow readers")).toEqual(
    expect.arrayContaining(["rest", "session", "mcp", "documentation", "files", "circuits", "dashboard"]),
  );
});
