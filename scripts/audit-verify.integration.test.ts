import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/db/client";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { program } from "./stack/program";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

/** Runs `npm run audit:verify` as a separate process. */
async function verify(): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = [process.execPath, [await program("scripts/audit-verify.ts")]] as const;
  try {
    return { code: 0, ...(await promisify(execFile)(...command)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

test("audit:verify counts what holds, and names the first broken entry of each chain and fails", async () => {
  const [alice, bob] = [await Owner.create(46630), await Owner.create(4663)];
  for (const owner of [alice, bob]) for (let n = 0; n < 3; n++) await createApiKey(owner);
  expect((await verify()).stdout).toMatch(/^6 entries in 2 chains verified$/m);

  await asOwner((owner) =>
    owner.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update audit_log set client_address = '192.0.2.9' where root_id = ${alice.account.id} and position > 1`;
      await tx`delete from audit_log where root_id = ${bob.account.id} and position = 3`;
    }),
  );
  const [second] = await sql()`select id from audit_log where root_id = ${alice.account.id} and position = 2`;
  const { code, stdout, stderr } = await verify();
  expect(code).toBe(1);
  expect(stdout).not.toContain("verified");
  expect(
    stderr
      .split("\n")
      .filter((line) => line.includes("entry"))
      .sort(),
  ).toEqual(
    [
      `${alice.account.id} on chain 46630: entry 2 (${second?.id}) was changed`,
      `${bob.account.id} on chain 4663: entry 3 is missing: the chain was cut short`,
    ].sort(),
  );
});
