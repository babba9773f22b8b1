import { desc, eq } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { chainEnv } from "@/lib/chain/clients";
import { isoTime } from "@/lib/clock";
import { newId } from "@/lib/ids";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { policyChangeTypedData } from "@/lib/policy/policy-change";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { getPolicy } from "./get-policy";
import { rowOfPolicy } from "./policy-row";
import type { SentConsent } from "./require-consent";
import { UpdatePolicyInput } from "./schema";
import { updatePolicy } from "./update-policy";

const CHAIN = 46630;
/** The field as a request sends it. */
const WIDER = { per_transaction_limit_usdg: 0.000009 };
const wider = UpdatePolicyInput.parse(WIDER).patch;
let services: SharedServices;
let owner: Owner;
let id: string;
let address: `0x${string}`;

/** An agent's rows, without a ledger behind them. */
beforeAll(async () => {
  services = await startSharedServices();
  owner = await Owner.create(CHAIN);
  id = newId("account");
  address = toHex(randomBytes(20));
  const handle = `${owner.account.handle}/bot`;
  const now = new Date();
  await db()
    .insert(accounts)
    .values({ id, handle, address, type: "agent", ownerId: owner.account.id, chainId: CHAIN, createdAt: now });
  await db()
    .insert(agents)
    .values({ accountId: id, chainId: CHAIN, status: "active", wallet: toHex(randomBytes(8)), secretVersion: 1 });
  const policy = { ...DENY_ALL, dailyLimit: 100n, perTransactionLimit: 5n };
  await db()
    .insert(spendPolicies)
    .values({ ...rowOfPolicy(policy), id: newId("policy"), agentId: id, updatedAt: now });
});
afterAll(() => services?.stop());

interface Signing {
  wallet?: { signTypedData: Owner["wallet"]["signTypedData"] };
  fields?: object;
  seconds?: number;
}

/** What a wallet signs of a change to the policy as it is now. */
async function consentTo({ wallet = owner.wallet, fields = WIDER, seconds = 300 }: Signing = {}): Promise<SentConsent> {
  const { updatedAt } = await getPolicy(owner.session, id);
  const deadline = BigInt(Math.floor(Date.now() / 1000) + seconds);
  const since = isoTime(updatedAt);
  const data = policyChangeTypedData({
    network: "test",
    ledger: chainEnv(CHAIN).ledger,
    agent: { handle: `@${owner.account.handle}/bot`, address },
    fields,
    since,
    deadline,
  });
  return { signature: await wallet.signTypedData(data), since, deadline: deadline.toString(), fields };
}

async function refused(consent?: SentConsent): Promise<void> {
  await expect(updatePolicy(owner.session, id, wider, consent)).rejects.toMatchObject({
    code: "key_forbidden",
    param: "wallet_consent",
  });
  expect((await getPolicy(owner.session, id)).policy.perTransactionLimit).toBe(5n);
}

test("a session loosens no policy unless the owner's wallet signed exactly that change, just now", async () => {
  await refused();
  await refused(await consentTo({ wallet: privateKeyToAccount(generatePrivateKey()) }));
  await refused(await consentTo({ seconds: -1 }));
  await refused(await consentTo({ seconds: 86_400 }));
  const other = await consentTo({ fields: { per_transaction_limit_usdg: 0.000008 } });
  await refused({ ...other, fields: WIDER });
  await refused({ ...(await consentTo()), since: isoTime(new Date(0)) });
});

test("a signed change is saved and kept in the audit log; once the policy has moved on, its signature is good for nothing", async () => {
  const consent = await consentTo();
  expect((await updatePolicy(owner.session, id, wider, consent)).policy.perTransactionLimit).toBe(9n);
  const [entry] = await db().select().from(auditLog).where(eq(auditLog.target, id)).orderBy(desc(auditLog.position));
  expect(entry).toMatchObject({ action: "agent.policy.updated", after: { wallet_consent: consent } });
  await updatePolicy(owner.session, id, { perTransactionLimit: 5n });
  await refused(consent);
});

test("an API key changes a policy as the contract has it, and tightening needs no wallet", async () => {
  const key = await owner.key();
  expect((await updatePolicy(key, id, wider)).policy.perTransactionLimit).toBe(9n);
  expect((await updatePolicy(owner.session, id, { perTransactionLimit: 5n })).policy.perTransactionLimit).toBe(5n);
});
