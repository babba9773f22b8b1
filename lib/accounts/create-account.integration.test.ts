import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { ledgerPayments } from "@/db/schema/ledger";
import { publicClient } from "@/lib/chain/clients";
import { lowerAddress } from "@/lib/chain/registry";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { findPaymentOfLostResponse } from "@/lib/payments/after-restore/find-payment-of-lost-response";
import { createTransfer } from "@/lib/payments/create-transfer";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const word = (of: string) => toHex(fromHex(`0x${of.slice(2).padStart(64, "0")}`));

/** Signs up with a wallet by which, or by whose agent, the ledger has a payment. `at`: the time of the sign-up. */
const signsUpAgain = (payerOf: (address: `0x${string}`) => `0x${string}`, at?: Date) =>
  Owner.create(CHAIN, async (key) => {
    const address = lowerAddress(key);
    const payer = payerOf(address);
    const [knownBy, newCommitment, txHash] = [word(payer), word(payer), word(payer)];
    const blockNumber = await publicClient(CHAIN).getBlockNumber({ cacheTime: 0 });
    const place = { chainId: CHAIN, blockNumber, logIndex: Number(`0x${payer.slice(2, 9)}`) };
    const asset = payer;
    await db()
      .insert(ledgerPayments)
      .values({ ...place, kind: "transfer", payer, asset, recipient: address, knownBy, newCommitment, txHash });
    if (payer !== address) {
      const record = { viewingKey: word(payer), signer: payer, until: 0n, owner: address, enrolledBlock: 1n };
      await db()
        .insert(ledgerAccounts)
        .values({ chainId: CHAIN, address: payer, ...record });
    }
    if (at) vi.setSystemTime(at);
    return address;
  }).finally(() => vi.useRealTimers());

test("an account that a restored backup lacks and that signs up again pays nothing under a key of before for a day", async () => {
  const request = { to: "@someone", amount: "1", asset: "USDG" as const, confidential: true };
  const stranger = await Owner.create(CHAIN);
  const fresh = await findPaymentOfLostResponse({ ...(await stranger.key()), idempotencyKey: "k" }, request);
  expect(fresh.paid).toBeNull();
  for (const payerOf of [
    (address: `0x${string}`) => address,
    (address: `0x${string}`) => `0x${address.slice(4)}07` as const,
  ]) {
    const again = await (await signsUpAgain(payerOf)).key();
    const refusal = { code: "sync_required", message: expect.stringMatching(/does not list such payments/) };
    await expect(createTransfer({ ...again, idempotencyKey: "k" }, request)).rejects.toMatchObject(refusal);
    await expect(createTransfer(again, request)).rejects.not.toMatchObject({ code: "sync_required" });
  }
});

test("a wallet that paid more than a day before it signs up pays at once, as no key of then is repeated any more", async () => {
  const key = await (await signsUpAgain((address) => address, new Date(Date.now() + 25 * 3_600_000))).key();
  const unlisted = findPaymentOfLostResponse(
    { ...key, idempotencyKey: "k" },
    { to: "@someone", amount: "1", asset: "USDG", confidential: true },
  );
  expect((await unlisted).paid).toBeNull();
});
