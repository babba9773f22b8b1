import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { ApiError } from "@/lib/base/errors";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { finalBlock } from "@/lib/chain/index/cursor";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { type AvailableOpening, availableCommitment } from "@/lib/ledger/crypto/commitments";
import { availableSaltOf, newSeed } from "@/lib/ledger/crypto/payment-seed";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { handOverTags } from "@/lib/payments/after-restore/hand-over-tags";
import { listWantedTags, toWantedTags } from "@/lib/payments/after-restore/list-wanted-tags";
import { decryptFunds } from "@/sdk/account/funds/funds";
import { partyOf } from "@/sdk/account/party";
import { createApiKey } from "@/test/accounts/api-key";
import { type Owner, settled } from "@/test/accounts/owner";
import { postTransfer } from "@/test/accounts/post-transfer";
import { complete, requestOf } from "@/test/accounts/prepare-spend";
import { asOwner } from "@/test/services/as-owner";
import { backUpDatabase, restoreDatabase } from "@/test/services/backup-database";
import type { Attack } from "../findings";
import { allSettled, CHAIN, client, DOLLAR, enrolled, funded, paymentKeyOf, says, sends } from "../site";

/**
 * After a backup was restored, the service does not know which requests were paid. A program repeats its requests, and
 * someone else makes claims about what was paid for them.
 */
export const restoredDatabase: Attack = {
  who: "Someone with a session, a lying client or service, after an older backup was restored",
  holds: "the owner's session cookie; every row, to write; no key and no secret",
  async attack(findings, services) {
    const [owner, payee, stranger] = await Promise.all([funded(100n), enrolled(), enrolled()]);
    const { text: key } = await createApiKey(owner);
    const body = (amount: string, confidential = true) => {
      return { to: `@${payee.account.handle}`, amount, asset: "USDG" as const, confidential };
    };
    await allSettled(owner, payee);
    const urls = {
      DATABASE_URL: process.env.DATABASE_URL ?? "",
      MIGRATION_DATABASE_URL: process.env.MIGRATION_DATABASE_URL ?? "",
    };
    await services.withoutWorker(() => backUpDatabase(urls));
    const first = await postTransfer(key, "invoice-1", body("2"));
    const second = await postTransfer(key, "invoice-2", body("3", false));
    const hashes = await Promise.all([first, second].map(hashOf));
    await services.withoutWorker(() => restoreDatabase(urls));
    await indexed(payee);

    const again = async (name: string, amount: string, confidential = true) => {
      try {
        const hash = await hashOf(await postTransfer(key, name, body(amount, confidential)));
        return hashes.includes(hash) ? "its transfer" : "another payment";
      } catch (error) {
        if (error instanceof ApiError) return error.code;
        throw error;
      }
    };
    const unknown = "sync_required";
    await findings.cannot("have a request that the backup does not know paid again", again("invoice-1", "2"), unknown);
    await findings.cannot("the same of a public payment", again("invoice-2", "3", false), unknown);

    const wanted = toWantedTags(await listWantedTags(owner.session, { limit: 100 })).payments;
    const invented = wanted.map(({ transfer_id }) => {
      return { transfer_id, tag: toHex(randomBytes(16)), voucher: toHex(randomBytes(32)) };
    });
    const handOver = async (by: Owner) => {
      return `${(await handOverTags(by.session, { tags: invented })).handedOver} of ${wanted.length} taken`;
    };
    await findings.cannot("say by another account's session what was paid", handOver(stranger), "0 of 2 taken");
    await findings.can("say by the owner's session that nothing was paid for it", handOver(owner), "2 of 2 taken");
    await findings.cannot("have it paid again by that", again("invoice-1", "2"), unknown);
    await findings.cannot("have a new request paid by that", again("invoice-9", "2"), unknown);

    await sync(owner);
    await findings.cannot(
      "have it paid again with the vouchers of two payments exchanged in the database",
      exchanged(owner, () => again("invoice-1", "2")),
      unknown,
    );
    await sync(owner);
    await findings.can("get the transfer of a repeated request", again("invoice-1", "2"), "its transfer");
    await findings.can("the same of a public payment", again("invoice-2", "3", false), "its transfer");
    await findings.cannot("have it made in public as well", again("invoice-1", "2", false), "idempotency_mismatch");
    await findings.cannot("have the ledger take a payment id twice", repeatedId(owner, payee), "PaymentIdUsed");
  },
};

/** Returns the transaction hash, which a rebuilt transfer shares with the lost one. */
async function hashOf(id: string): Promise<string | null> {
  const [row] = await db().select({ hash: transfers.txHash }).from(transfers).where(eq(transfers.id, id));
  return row?.hash ?? null;
}

/** Waits until the database has everything that is on chain. */
async function indexed(someone: Owner): Promise<void> {
  await settled(await someone.mint("1"));
  const { number } = await finalBlock(CHAIN);
  for (;;) {
    const [cursor] = await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN));
    if (cursor && cursor.blockNumber >= number) return;
    await sleep(50);
  }
}

/** The owner's honest client reads the balance and submits the tags that it finds in its own copies. */
async function sync(owner: Owner): Promise<void> {
  const context = await client(owner);
  await decryptFunds(context, await partyOf(context), await context.asset("USDG"));
}

/** Runs `work` while two payments have each other's tag and voucher. */
async function exchanged<T>({ account }: Owner, work: () => Promise<T>): Promise<T> {
  await asOwner(
    (sql) => sql`
      update rebuilt_payments a set tag = b.tag, voucher = b.voucher from rebuilt_payments b
      where a.root_id = ${account.id} and b.root_id = ${account.id} and a.transfer_id <> b.transfer_id`,
  );
  return work();
}

/** A public payment proved and signed over the newest balance, with the id of an earlier payment. */
async function repeatedId(owner: Owner, payee: Owner): Promise<string> {
  const [seed, request] = [newSeed(), await requestOf(owner, payee, DOLLAR)];
  const { scope, available } = request;
  const call = async (over: AvailableOpening) =>
    documentCalldata(
      await complete(await planRelease({ ...request, available: over, policyVersion: 0n, seed }), paymentKeyOf(owner)),
    );
  const sent = await sends(owner)(await call(available));
  if (sent !== "accepted") return sent;
  const salt = availableSaltOf(seed, scope, availableCommitment(available));
  return says(owner, call({ ...available, limit: available.limit - DOLLAR, salt }));
}
