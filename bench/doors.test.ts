import { expect, test } from "vitest";
import { DOORS, type Door, doorOf } from "@/lib/http/doors";
import { attacks, callersOf } from "./doors";

test("every door is attacked, by its own paths, and with a key or a session where these matter", () => {
  const all = attacks();
  for (const [name, door] of Object.entries<Door>(DOORS)) {
    const own = all.filter((attack) => attack.name === name || attack.name.startsWith(`${name}, `));
    expect(
      own.map(({ by }) => by),
      name,
    ).toEqual(["no one", ...callersOf(door)]);
    for (const { path } of own.flatMap(({ requests }) => requests)) {
      expect(doorOf(path.split("?")[0] ?? ""), path).toBe(door);
    }
  }
});
