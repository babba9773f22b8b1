import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { events } from "@/db/schema/events";
import { paymentRequests } from "@/db/schema/payment-requests";
import { payouts } from "@/db/schema/payouts";
import { scheduleRuns } from "@/db/schema/schedules";
import { transfers } from "@/db/schema/transfers";
import { webhookDeliveries } from "@/db/schema/webhooks";
import { assetBySymbol } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { makeEndpoint } from "../webhooks/endpoint";
import { insertAgent } from "./agent-row";
import type { Owner } from "./owner";
import { makeRequest } from "./payment-request";
import { putNew, termsOf } from "./schedule-terms";

type Payer = { chainId: ChainId; account: Pick<ContextAccount, "id" | "rootId"> };

/** Inserts the row of a payment, which the ledger does not have. Returns its id. */
export async function insertTransfer(
  { account, chainId }: Payer,
  values: Partial<typeof transfers.$inferInsert> = {},
): Promise<string> {
  const [id, commitment] = [newId("transfer"), toHex(randomBytes(32))];
  await db()
    .insert(transfers)
    .values({
      id,
      chainId,
      kind: "transfer",
      status: "confirmed",
      payerId: account.id,
      payerRootId: account.rootId,
      recipientAddress: toHex(randomBytes(20)),
      to: "@someone",
      asset: assetBySymbol(chainId).address,
      oldCommitment: commitment,
      newCommitment: commitment,
      payerCiphertext: "0x",
      operationId: newId("operation"),
      txHash: commitment,
      createdAt: new Date(),
      clientSigned: false,
      ...values,
    });
  return id;
}

/**
 * Creates one object of each kind that has an id. What has a reference has this one. Returns their ids by the type that
 * a search returns.
 *
 * @param payment of the transfer
 */
export async function oneOfEach(
  owner: Owner,
  payment: Partial<typeof transfers.$inferInsert> = {},
): Promise<Record<string, string>> {
  const { chainId, account } = owner;
  const { id: accountId } = account;
  const { reference = null } = payment;
  const now = new Date();
  const [held, payout, event, delivery] = [newId("transaction"), newId("payout"), newId("event"), newId("delivery")];
  const { id: agent } = await insertAgent(owner, "bot");
  const { keyId } = await owner.key();
  await db()
    .insert(heldPayments)
    .values({
      id: held,
      chainId,
      agentId: agent,
      rootId: accountId,
      status: "pending_approval",
      to: "@someone",
      recipientAddress: toHex(randomBytes(20)),
      asset: assetBySymbol(chainId).address,
      kind: "transfer",
      encrypted: "0x",
      secretVersion: 1,
      keyId,
      requestedAt: now,
      expiresAt: new Date(Date.now() + 60_000),
      reference,
    });
  await db().insert(payouts).values({
    id: payout,
    chainId,
    accountId,
    status: "processing",
    rows: 1,
    askedBy: "wallet",
    idempotencyKey: payout,
    fingerprint: "0x",
    encryptedKey: "0x",
    secretVersion: 1,
    workingUntil: now,
    createdAt: now,
  });
  const source = { accountId, rootId: accountId, chainId, type: "transfer.confirmed", payload: {} };
  await db()
    .insert(events)
    .values({ id: event, ...source, createdAt: now });
  const { id: webhook } = await makeEndpoint("https://shop.test/hook", { rootId: accountId });
  const sent = { webhookId: webhook, eventId: event, event: "transfer.confirmed", url: "https://shop.test/hook" };
  await db()
    .insert(webhookDeliveries)
    .values({ id: delivery, ...sent, trigger: "automatic", status: "succeeded", dueAt: now, createdAt: now });
  const { body } = await makeRequest(owner, { reference: reference ?? undefined });
  const row = {
    id: body.payment_request_id,
    chainId,
    accountId,
    payee: account.address,
    status: "open" as const,
    asset: assetBySymbol(chainId).address,
    reference,
    envelope: body.envelope,
    linkKey: body.link_key,
    signature: body.signature ?? "0x",
    expiresAt: body.expires_at,
    createdAt: now,
  };
  await db().insert(paymentRequests).values(row);
  const schedule = await putNew(
    owner,
    termsOf({ frequency: "daily", start: "2027-01-01", time: "09:00", time_zone: "UTC" }, account),
    new Date("2026-12-31T00:00:00Z"),
  );
  const [run] = await db().select().from(scheduleRuns).where(eq(scheduleRuns.scheduleId, schedule));
  return {
    transfer: await insertTransfer(owner, payment),
    held_payment: held,
    agent,
    api_key: keyId,
    webhook,
    delivery,
    event,
    payment_request: row.id,
    payout,
    schedule,
    schedule_run: run?.id ?? "",
  };
}
