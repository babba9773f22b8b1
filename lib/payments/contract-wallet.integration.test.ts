import { eq } from "drizzle-orm";
import { createTestClient, type Hex, http } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { chainEnv } from "@/lib/chain/clients";
import { CONTRACT_WALLET_GAS, GAS_LIMIT } from "@/lib/chain/gas";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import {
  agent,
  bringUpAgents,
  CHAIN,
  handleOf,
  owner,
  ownerKey,
  pay,
  settledAll,
  stranger,
} from "@/test/accounts/agents";
import { complete, prepareSpend, requestOf } from "@/test/accounts/prepare-spend";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

bringUpAgents();

/** Returns contract code that responds to every call with one commitment. */
const responding = (commitment: Hex): Hex => `0x7f${commitment.slice(2).padEnd(64, "0")}60005260206000f3`;
const ACCEPTS = responding("0x1626ba7e");
const REFUSES = responding("0xffffffff");

const setCode = (bytecode: Hex) =>
  createTestClient({ mode: "anvil", transport: http(chainEnv(CHAIN).rpcUrl) }).setCode({
    address: owner.address,
    bytecode,
  });

/** A signature of several owners: longer than a key's, and not one that a key could have made. */
const BY_SEVERAL: Hex = `0x${"ab".repeat(130)}`;
/** As long as a key's signature. */
const BY_FEW: Hex = `0x${"ab".repeat(65)}`;

beforeEach(async () => settledAll(await pay(ownerKey, agent, "10")));
afterEach(() => setCode("0x"));

const send = async (signed: SignedPayment, from = owner.session) => {
  const body = { to: handleOf(stranger), asset: "USDG" as const, confidential: true, client_signed: signed };
  return paidTransfer(await createTransfer(from, body)).row;
};

const gasOf = async (id: string) => {
  const [row] = await db().select().from(operations).where(eq(operations.id, id));
  return row?.gas;
};

test("a contract wallet pays with whatever signature its code accepts, and with no other; its calls have gas for that", async () => {
  const request = { ...(await requestOf(owner, stranger, 1_000_000n)), policyVersion: 0n };
  const plan = await planTransfer({ ...request, recipientViewingKey: stranger.viewing.publicKey });
  const document = { ...(await complete(plan, owner.walletKey)), signature: BY_SEVERAL };
  const refused = { param: "client_signed.signature" };
  await expect(send(document)).rejects.toMatchObject(refused);
  await setCode(REFUSES);
  await expect(send(document)).rejects.toMatchObject(refused);
  await setCode(ACCEPTS);
  const row = await send(document);
  expect(await gasOf(row.operationId)).toBe(GAS_LIMIT.transfer + CONTRACT_WALLET_GAS);
  await settledAll(row);
});

test("of an agent it pays beyond the policy, and stands in for no key that has to keep to it", async () => {
  await setCode(ACCEPTS);
  const byWallet = { mode: SPEND_MODE.wallet, key: owner.walletKey };
  const beyond = await prepareSpend(agent, stranger, 1_000_000n, byWallet);
  const byPaymentKey = { mode: SPEND_MODE.approved, key: derivePaymentKey(owner.authority, owner.scope).privateKey };
  const approved = await prepareSpend(agent, stranger, 1_000_000n, byPaymentKey);
  await expect(send({ ...approved, signature: BY_FEW }, agent.session)).rejects.toMatchObject({
    param: "client_signed.signature",
  });
  const row = await send({ ...beyond, signature: BY_SEVERAL }, agent.session);
  expect(await gasOf(row.operationId)).toBe(GAS_LIMIT.spend + CONTRACT_WALLET_GAS);
  await settledAll(row);
});

test("a wallet whose key got code goes on to pay with its key, whatever the code says", async () => {
  await setCode(REFUSES);
  const byWallet = { mode: SPEND_MODE.wallet, key: owner.walletKey };
  const row = await send(await prepareSpend(agent, stranger, 2_000_000n, byWallet), agent.session);
  expect(await gasOf(row.operationId)).toBe(GAS_LIMIT.spend);
  await settledAll(row);
});
