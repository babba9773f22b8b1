import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { ATTACKS } from "./attack/attacks";
import { Findings } from "./attack/findings";

/* The rows of `npm run attack`: who can do what, tried by attackers who hold exactly that. */

let services: WorkingServices;

beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

test.each(ATTACKS.map(({ who, shows, attack }) => [shows ? `${shows}: ${who}` : who, attack] as const))(
  "%s: can and cannot do what the trust table says",
  async (_, attack) => {
    const findings = new Findings();
    await attack(findings, services);
    expect(findings.all.filter(({ holds }) => !holds)).toEqual([]);
    expect(findings.all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["can", "cannot"]));
  },
);
