import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { SEED, verbsOf } from "./sample";
import { tryLies } from "./try-lies";

let services: WorkingServices;
beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

test("whatever a service says, a client does and reports what was asked and the chain shows, or fails and says so", async () => {
  const again = `To repeat this sample of the lies: npm run attack -- lies --seed "${SEED}"`;
  expect(await tryLies(verbsOf(SEED), SEED), again).toEqual([]);
  // Some forty lies, each about a payment or a report of its own.
}, 900_000);
