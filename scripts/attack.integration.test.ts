import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { ATTACKS } from "./attack/attacks";
import { Findings } from "./attack/findings";

/** The rows of `npm run attack`: attackers who hold exactly what the security model says. */

let services: WorkingServices;

beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());
// Their limits are per day.
beforeEach(() => awayFromMidnight());

test.each(ATTACKS.map(({ who, shows, attack }) => [shows ? `${shows}: ${who}` : who, attack] as const))(
  "%s: can and cannot do what the trust table says",
  async (_, attack) => {
    const findings = new Findings();
    await attack(findings, services);
    expect(findings.all.filter(({ holds }) => !holds)).toEqual([]);
    expect(findings.all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["can", "cannot"]));
  },
);
