import { eq } from "drizzle-orm";
import { createTestClient, type Hex, http } from "viem";
import { expect, test } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { chainEnv } from "@/lib/chain/clients";
import { CONTRACT_WALLET_GAS, GAS_LIMIT } from "@/lib/chain/gas";
import { GENEROUS } from "@/test/accounts/agent";
import { agent, bringUpAgents, CHAIN, owner, settledAll } from "@/test/accounts/agents";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { readOwnersPolicy } from "./owners-policy";
import { updatePolicy } from "./update-policy";

bringUpAgents();

/** Returns contract code that returns the same commitment from every call. */
const responding = (commitment: Hex): Hex => `0x7f${commitment.slice(2).padEnd(64, "0")}60005260206000f3`;
const ACCEPTS = responding("0x1626ba7e");
const REFUSES = responding("0xffffffff");

const setCode = (bytecode: Hex) =>
  createTestClient({ mode: "anvil", transport: http(chainEnv(CHAIN).rpcUrl) }).setCode({
    address: owner.address,
    bytecode,
  });

test("a contract wallet loosens a policy with whatever signature its code accepts, and with no other", async () => {
  const wider = { perTransactionLimit: GENEROUS.perTransactionLimit + 1n };
  const { policyVersion } = await readOwnersPolicy(owner.session, agent.account.id);
  const next = { policy: { ...GENEROUS, ...wider }, paused: false, version: policyVersion + 1n };
  const signed = await signPolicyAs(owner, agent.address, next);
  // A signature of several owners is longer than a key's, so no key can have made it.
  const bySeveral = { ...signed, document: { ...signed.document, signature: `0x${"ab".repeat(130)}` as const } };
  const change = () => updatePolicy(owner.session, agent.account.id, wider, bySeveral);
  await expect(change()).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  await setCode(REFUSES);
  await expect(change()).rejects.toMatchObject({ code: "key_forbidden", param: "signed" });
  await setCode(ACCEPTS);
  await change();
  const { operation } = await readOwnersPolicy(owner.session, agent.account.id);
  await settledAll({ operationId: operation?.id ?? "" });
  expect((await readOwnersPolicy(owner.session, agent.account.id)).inForce).toBe("yes");
  const [row] = await db()
    .select()
    .from(operations)
    .where(eq(operations.id, operation?.id ?? ""));
  expect(row?.gas).toBe(GAS_LIMIT.set_policy + CONTRACT_WALLET_GAS);
  await setCode("0x");
});
