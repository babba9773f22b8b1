import { beforeAll, expect, test } from "vitest";
import { COMMAND_CASES } from "./commands";
import { placeFromEnvironment, World } from "./world";

let world: World;
beforeAll(async () => {
  world = await World.create(placeFromEnvironment());
});

test.each(Object.entries(COMMAND_CASES))(
  "`halcyon %s` of the installed package works, in each of two processes",
  async (name, run) => {
    for (const which of ["first", "second"]) {
      world.ran.length = 0;
      await run(world);
      expect(
        world.ran.some((line) => line === name || line.startsWith(`${name} `)),
        `${name}, the ${which} time: ${world.ran.join(", ")}`,
      ).toBe(true);
    }
  },
);
