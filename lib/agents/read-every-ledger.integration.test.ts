import { afterAll, beforeAll, expect, test } from "vitest";
import { readLedger } from "@/lib/balances/read-ledger";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { readEveryLedger } from "./read-every-ledger";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.funded(CHAIN, 5_000_000n);
});
afterAll(() => services?.stop());

test("the account and its agents are read at once, as each is read alone, and no one else's", async () => {
  const stranger = await Owner.funded(CHAIN, 1_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  const { ledgers, request_tags_wanted } = await readEveryLedger(owner.session);
  const { request_tags_wanted: wanted, ...alone } = await readLedger(owner.session, { asset: "USDG" });
  // The agent has never held anything, and neither of them any ETH.
  expect(ledgers).toEqual([alone]);
  expect(request_tags_wanted).toBe(wanted);
  expect(JSON.stringify(ledgers)).not.toContain(stranger.address);
  await expect(readEveryLedger(agent.session)).rejects.toMatchObject({ code: "not_agent_owner" });
});
