import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { rowOfPolicy } from "@/lib/agents/policy-row";
import type { ContextAccount } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { GENEROUS } from "./agent";
import type { Owner } from "./owner";

/** Inserts the rows of an agent with a policy, as if the ledger had it. It does not, so the agent pays nothing. */
export async function insertAgent(
  { account, chainId }: Owner,
  name = `a${toHex(randomBytes(4)).slice(2)}`,
  policy: Partial<SpendPolicy> = {},
): Promise<ContextAccount & { policyId: string }> {
  const { id: ownerId, address: rootAddress } = account;
  const createdAt = new Date();
  const agent = {
    id: newId("account"),
    handle: `${account.handle}/${name}`,
    address: toHex(randomBytes(20)),
    createdAt,
  };
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId, chainId });
  await db()
    .insert(agents)
    .values({ accountId: agent.id, chainId, status: "active", wallet: "0x00", secretVersion: 1 });
  const keys = { viewingKey: toHex(randomBytes(32)), signer: agent.address, until: 0n, owner: rootAddress };
  await db()
    .insert(ledgerAccounts)
    .values({ chainId, address: agent.address, ...keys });
  const policyId = newId("policy");
  const setting = { salt: toHex(randomBytes(32)), version: 1n, resolved: [], anyRecipient: true };
  await db()
    .insert(spendPolicies)
    .values({
      ...rowOfPolicy({ ...GENEROUS, ...policy }),
      ...setting,
      ...{ id: policyId, holderId: agent.id, chainId, updatedAt: createdAt },
    });
  return { ...agent, type: "agent", rootId: ownerId, rootAddress, policyId };
}
