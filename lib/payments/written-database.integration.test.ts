import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import type { KeyContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { lowerAddress } from "@/lib/chain/registry";
import { relayerAccount } from "@/lib/chain/relayer";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { decryptPayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import { resendFailed } from "@/lib/settlement/resend/resend-failed";
import { Owner, settled } from "@/test/accounts/owner";
import { collectAlarms } from "@/test/attacks/alarms";
import { startWorkingServices } from "@/test/services/working-services";
import type { TransferRow } from "./append-transfer-events";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let payer: Owner;
let recipient: Owner;
let key: KeyContext;
let alarms: ReturnType<typeof collectAlarms>;

beforeAll(async () => {
  services = await startWorkingServices();
  [payer, recipient] = await Promise.all([Owner.funded(CHAIN, 100_000_000n), Owner.create(CHAIN)]);
  await settled(await recipient.enroll());
  key = await payer.key();
  alarms = collectAlarms();
});

afterAll(async () => {
  alarms?.stop();
  await services?.stop();
});

/** Returns a key pair of the attacker who writes to the database. */
const theirs = () => deriveViewingKey(newAccountKey(), payer.scope);

async function writeViewingKey(address: Owner["address"], viewingKey: Uint8Array): Promise<void> {
  await db()
    .update(ledgerAccounts)
    .set({ viewingKey: toHex(viewingKey) })
    .where(eq(ledgerAccounts.address, address));
}

const pay = async (to: Owner) =>
  paidTransfer(
    await createTransfer(key, { to: `@${to.account.handle}`, amount: "1.234567", asset: "USDG", confidential: true }),
  ).row;

/** Decrypts the two on-chain copies with the keys of their intended readers. */
async function opened(row: TransferRow, to: Owner) {
  const common = { scope: payer.scope, asset: row.asset };
  const forPayer = { ...common, account: payer.address, commitment: hexToCommitment(row.newCommitment) };
  const forRecipient = { ...common, account: to.address, commitment: hexToCommitment(row.note ?? "0x") };
  const [sent, received] = await Promise.all([
    decryptPayerCopy(payer.viewing.secret, forPayer, fromHex(row.payerCiphertext)),
    decryptRecipientCopy(to.viewing.secret, forRecipient, fromHex(row.recipientCiphertext ?? "0x")),
  ]);
  return [sent?.amount, received?.amount];
}

describe("someone who writes operations into the database", () => {
  test("has nothing signed that the service has not signed before: the relayers' ether stays", async () => {
    const mallory = `0x${"66".repeat(20)}` as const;
    await services.withoutWorker(async () => {
      const id = newId("operation");
      const now = new Date();
      await db()
        .insert(operations)
        .values({
          ...{ id, chainId: CHAIN, kind: "gas", status: "pending", account: mallory, target: mallory, data: "0x" },
          ...{ value: 10n ** 18n, gas: 100_000n, deadline: new Date(now.getTime() + 3_600_000), createdAt: now },
          ...{ relayer: lowerAddress(relayerAccount(CHAIN, 0).address), resendAt: now },
        });
      alarms.heard.length = 0;
      await resendFailed(CHAIN);
      const sent = await db().select().from(outgoingTransactions).where(eq(outgoingTransactions.operationId, id));
      expect([sent, alarms.heard]).toEqual([[], ["operation"]]);
      await db().delete(operations).where(eq(operations.id, id));
    });
  });
});

describe("someone who writes a viewing key into the database", () => {
  test.each(["payer", "recipient"] as const)(
    "of the %s has nothing encrypted to it, and raises the alarm",
    async (who) => {
      const victim = { payer, recipient }[who];
      alarms.heard.length = 0;
      await writeViewingKey(victim.address, theirs().publicKey);
      await expect(pay(recipient)).rejects.toMatchObject({ code: "unavailable" });
      expect(alarms.heard).toEqual(["viewing_key"]);
      await writeViewingKey(victim.address, victim.viewing.publicKey);
      expect(await opened(await pay(recipient), recipient)).toEqual([1_234_567n, 1_234_567n]);
    },
  );

  test("of an enrollment under way neither: what its wallet signed decides", async () => {
    const newcomer = await Owner.create(CHAIN);
    await services.withoutWorker(async () => {
      const operation = await newcomer.enroll();
      alarms.heard.length = 0;
      await writeViewingKey(newcomer.address, theirs().publicKey);
      await expect(pay(newcomer)).rejects.toMatchObject({ code: "unavailable" });
      expect(alarms.heard).toEqual(["viewing_key"]);
      await writeViewingKey(newcomer.address, newcomer.viewing.publicKey);
      expect(await opened(await pay(newcomer), newcomer)).toEqual([1_234_567n, 1_234_567n]);
      return operation;
    });
  });
});
