import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { ledgerPayments } from "@/db/schema/ledger";
import { lowerAddress } from "@/lib/chain/registry";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { findRepeated } from "@/lib/transfers/find-repeated";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const word = (of: string) => toHex(fromHex(`0x${of.slice(2).padStart(64, "0")}`));

/** Signs up with a wallet by which, or by whose agent, the ledger has a payment. */
const signsUpAgain = (payerOf: (address: `0x${string}`) => `0x${string}`) =>
  Owner.create(CHAIN, async (key) => {
    const address = lowerAddress(key);
    const payer = payerOf(address);
    const [knownBy, newWord, txHash] = [word(payer), word(payer), word(payer)];
    const place = { chainId: CHAIN, blockNumber: 1n, logIndex: Number(`0x${payer.slice(2, 9)}`) };
    const asset = payer;
    await db()
      .insert(ledgerPayments)
      .values({ ...place, kind: "transfer", payer, asset, recipient: address, knownBy, newWord, txHash });
    if (payer !== address) {
      const record = { viewingKey: word(payer), signer: payer, until: 0n, owner: address, enrolledBlock: 1n };
      await db()
        .insert(ledgerAccounts)
        .values({ chainId: CHAIN, address: payer, ...record });
    }
    return address;
  });

test("an account that a restored backup lacks and that signs up again pays nothing under a key of before for a day", async () => {
  const request = { to: "@someone", amount: "1", asset: "USDG" as const, confidential: true };
  const stranger = await Owner.create(CHAIN);
  const fresh = await findRepeated({ ...(await stranger.key()), idempotencyKey: "k" }, request);
  expect(fresh.paid).toBeNull();
  for (const payerOf of [
    (address: `0x${string}`) => address,
    (address: `0x${string}`) => `0x${address.slice(4)}07` as const,
  ]) {
    const again = await (await signsUpAgain(payerOf)).key();
    const refusal = { code: "reseal_required", message: expect.stringMatching(/does not list such payments/) };
    await expect(createTransfer({ ...again, idempotencyKey: "k" }, request)).rejects.toMatchObject(refusal);
    await expect(createTransfer(again, request)).rejects.not.toMatchObject({ code: "reseal_required" });
  }
});
