import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { createPublicClient, type Hex, http, numberToHex, type PublicClient } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerAddress, readRecord } from "@/lib/chain/registry";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { createClientSignedTransfer } from "@/lib/payments/create-client-signed-transfer";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { createPaymentRequest } from "@/lib/payments/requests/create-payment-request";
import { notEnrolled } from "@/lib/payments/resolve-signer";
import { seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { payMany } from "@/test/accounts/pay-many";
import { makeRequest } from "@/test/accounts/payment-request";
import { complete, requestOf } from "@/test/accounts/prepare-spend";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { createAgent } from "./create-agent";
import { partyAtLatest } from "./party-at-latest";
import { refuseSigner } from "./unavailable-while-signer-changes";
import { updatePolicy } from "./update-policy";

const CHAIN = 46630;
let services: LocalServices;
let node: LyingRpc;
let truth: PublicClient;
let owner: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startLocalServices(async (env) => {
    const url = env.RPC_URL_46630 ?? "";
    node = await startLyingRpc(url);
    node.final("latest");
    truth = createPublicClient({ transport: http(url) });
    return { RPC_URL_46630: node.url, FINALITY_46630: "safe" };
  });
  await withWorker(async () => {
    [owner, recipient] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.create(CHAIN)]);
    await settled(await recipient.enroll());
  });
});
afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

/** From here on nothing becomes final. */
async function stopFinality(): Promise<void> {
  node.final(numberToHex(await truth.getBlockNumber({ cacheTime: 0 })));
}

const paymentKeyOf = () => derivePaymentKey(owner.authority, owner.scope).privateKey;

/** Changes the payment key as the wallet does by itself, without the service. It is mined, and maybe not final. */
async function setPaymentKeyAlone(key: Hex): Promise<void> {
  const { record } = await partyAtLatest(CHAIN, owner.account);
  const draft = {
    kind: "set_payment_key" as const,
    account: owner.address,
    payment_key: lowerAddress(privateKeyToAddress(key)),
    payment_key_until: `${seconds(300 * 86_400)}`,
    nonce: `${record.nonce}`,
    deadline: `${seconds(3_600)}`,
  };
  await sendFromFaucet(CHAIN, authorityCalldata(await signAuthority(owner.scope, draft, keySigner(owner.walletKey))));
}

async function indexed(key: Hex): Promise<void> {
  const signer = lowerAddress(privateKeyToAddress(key));
  await expect.poll(async () => (await readRecord(CHAIN, owner.address))?.signer).toBe(signer);
}

const to = () => `@${recipient.account.handle}`;
const usual = { asset: "USDG", confidential: true } as const;
const pay = async () => createTransfer(await owner.key(), { ...usual, to: to(), amount: "1" });
const payTwo = async () =>
  payMany(await owner.key(), { payments: [1, 2].map((amount) => ({ to: to(), amount: `${amount}` })) });
const payClientSigned = async () => {
  const request = await requestOf(owner, recipient, 1_000_000n);
  const plan = await planTransfer({ ...request, recipientViewingKey: recipient.viewing.publicKey, policyVersion: 0n });
  const document = await complete(plan, paymentKeyOf());
  return createClientSignedTransfer(owner.session, owner.account, { ...usual, to: to(), client_signed: document });
};
const newAgent = async () => createAgent(await owner.key(), { name: `a${randomUUID().slice(0, 8)}` });
const request = async ({ signed }: { signed: boolean }) => {
  const { signature, ...body } = (await makeRequest(owner)).body;
  return createPaymentRequest(await owner.key(), signed ? { ...body, signature } : body);
};

test("a key of which neither the final state nor the newest block knows is forbidden, and one that only one of them knows is asked to try again", async () => {
  const agent = await withWorker(async () => {
    const created = await newAgent();
    await expect.poll(async () => (await readRecord(CHAIN, created.address))?.pending).toBe(false);
    return created;
  });
  const tighten = async (limit: bigint) => updatePolicy(await owner.key(), agent.id, { dailyLimit: limit });
  const byFinalState = { pay, payTwo, newAgent };
  const byNewestBlock = { tighten: () => tighten(1n), request: () => request({ signed: false }) };
  const refusals = async (all: Record<string, () => Promise<unknown>>) => {
    const entries = Object.entries(all).map(async ([name, work]) => {
      const error: unknown = await work().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      return [name, error instanceof ApiError ? error.code : error];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const every = (names: object, code: string) => Object.fromEntries(Object.keys(names).map((name) => [name, code]));
  const other = generatePrivateKey();
  await withWorker(async () => {
    // The final state knows the key, and the newest block doesn't any more.
    await stopFinality();
    await setPaymentKeyAlone(other);
    expect(await refusals(byNewestBlock)).toEqual(every(byNewestBlock, "unavailable"));
    expect(await refusals({ signed: () => request({ signed: true }) })).toEqual({ signed: "unavailable" });

    node.final("latest");
    await indexed(other);
    expect(await refusals({ ...byFinalState, ...byNewestBlock })).toEqual(
      every({ ...byFinalState, ...byNewestBlock }, "key_forbidden"),
    );
    const signed = { signed: () => request({ signed: true }), payClientSigned };
    expect(await refusals(signed)).toEqual(every(signed, "invalid_request"));

    // The newest block knows the key, and the final state doesn't yet.
    await stopFinality();
    await setPaymentKeyAlone(paymentKeyOf());
    const waiting = { ...byFinalState, payClientSigned };
    expect(await refusals(waiting)).toEqual(every(waiting, "unavailable"));
    expect(await refusals({ ...byNewestBlock, ...signed, payClientSigned: async () => {} })).toEqual({
      tighten: null,
      request: null,
      signed: null,
      payClientSigned: null,
    });

    node.final("latest");
    await indexed(paymentKeyOf());
    const { operationId } = paidTransfer(await pay()).row;
    expect(await settled(operationId)).toEqual(["confirmed"]);
    await newAgent();
  });
});

test("while the service itself sends a change of the account's signing key, a refused key is asked to try again", async () => {
  const stranger = await Owner.create(CHAIN);
  const refused = notEnrolled(CHAIN, stranger.account);
  const ask = () => refuseSigner(refused);
  await expect(ask()).rejects.toBe(refused);
  const { address } = stranger;
  const now = new Date();
  const call = { target: address, data: "0x", gas: 1n, relayer: address, deadline: now, createdAt: now } as const;
  const rotation = {
    ...call,
    id: newId("operation"),
    chainId: CHAIN,
    kind: "set_payment_key",
    account: address,
  } as const;
  await db()
    .insert(operations)
    .values({ ...rotation, status: "pending" });
  await expect(ask()).rejects.toMatchObject({ code: "unavailable", retryAfter: 2 });
  const another = new ApiError("insufficient_balance", "");
  await expect(refuseSigner(another)).rejects.toBe(another);
  await db()
    .update(operations)
    .set({ status: "confirmed" })
    .where(and(eq(operations.id, rotation.id)));
  await expect(ask()).rejects.toBe(refused);
});
