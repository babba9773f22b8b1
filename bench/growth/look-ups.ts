import { encode } from "next-auth/jwt";
import { db } from "@/db/client";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { keyUsage } from "@/lib/accounts/keys/key-usage";
import { kycStatusOf } from "@/lib/accounts/kyc/kyc-status-of";
import { resolveAccount } from "@/lib/accounts/resolve-account";
import { resolveRecipient } from "@/lib/accounts/resolve-recipient";
import { secretVersionOf } from "@/lib/accounts/secret-version";
import { readSharedView } from "@/lib/accounts/shared-views/read-shared-view";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { getAgent } from "@/lib/agents/get-agent";
import { getPolicy } from "@/lib/agents/get-policy";
import { readEveryLedger } from "@/lib/agents/read-every-ledger";
import { getRefundsSetting } from "@/lib/agents/refunds-setting";
import { readBalances } from "@/lib/balances/proven/read-balances";
import { readShownFunds } from "@/lib/balances/proven/shown-funds";
import { readLedger } from "@/lib/balances/read-ledger";
import { env } from "@/lib/base/env";
import { leaseTokens } from "@/lib/base/rate-limit/lease-tokens";
import { getOperation } from "@/lib/chain/operations/get-operation";
import { requireRelayQuota } from "@/lib/chain/operations/relay-quota";
import { readParty } from "@/lib/chain/registry";
import { getEvent } from "@/lib/events/get-event";
import { getDelivery } from "@/lib/events/webhooks/get-delivery";
import { getWebhook } from "@/lib/events/webhooks/get-webhook";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import { authenticateWallet } from "@/lib/http/auth/authenticate-session";
import { findKey } from "@/lib/http/auth/find-key";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";
import { beginAttempt } from "@/lib/http/idempotency/begin-attempt";
import { lostIdempotencyKeys } from "@/lib/payments/after-restore/lost-idempotency-keys";
import { findHeld } from "@/lib/payments/approvals/find-held";
import { getOwnHeld } from "@/lib/payments/approvals/get-own-held";
import { getExactTransfer } from "@/lib/payments/get-exact-transfer";
import { getTransfer } from "@/lib/payments/get-transfer";
import { getTransferView } from "@/lib/payments/get-transfer-view";
import { findPayout } from "@/lib/payments/payouts/find-payout";
import { isAnyNoteMade } from "@/lib/payments/payouts/is-any-note-made";
import { nextGroup } from "@/lib/payments/payouts/next-group";
import { readPayout } from "@/lib/payments/payouts/read-payout";
import { refundAccount } from "@/lib/payments/refunds/refund-account";
import { findPaymentRequest } from "@/lib/payments/requests/find-payment-request";
import { getPaymentRequest } from "@/lib/payments/requests/get-payment-request";
import { getPublicRequest } from "@/lib/payments/requests/get-public-request";
import { ownPayment } from "@/lib/payments/requests/own-payment";
import { getRun } from "@/lib/payments/schedules/get-run";
import { getSchedule } from "@/lib/payments/schedules/list-schedules";
import { findById } from "@/lib/payments/search/find-by-id";
import { findByReference } from "@/lib/payments/search/find-by-reference";
import { BUSY } from "@/scripts/seed/seed-rows";
import type { Reads } from "./lists";
import { bytes32, CHAIN, ctx, id, keyCtx, type Middle, open, place, walletCtx } from "./seeded";

const found = (row: unknown): number => (row ? 1 : 0);
const bytes = (hex: string) => Buffer.from(hex.slice(2), "hex");

export function lookUps({ accounts, even, forty }: Middle): Reads {
  // Someone other than the busy account, in the middle of the table.
  const other = Math.floor(accounts / 2);
  const bot = id("acct_", accounts + BUSY);
  const inSearch = {
    agent: bot,
    transfer: id("tr_", even),
    "held payment": id("txn_", forty),
    webhook: id("wh_", BUSY),
    event: id("evt_", even),
    delivery: id("dlv_", even),
    "API key": id("key_", BUSY),
    payout: id("po_", 2),
    "payment request": id("payreq_", forty),
    schedule: id("sch_", 2),
    run: id("run_", 2),
  };
  return {
    ...Object.fromEntries(
      Object.entries(inSearch).map(([what, one]) => [
        `search: ${what} by id`,
        async () => found(await findById(ctx, one)),
      ]),
    ),
    "search: by reference": async () => (await findByReference(ctx, `order-${forty}`)).length,
    "search: by reference, none": async () => (await findByReference(ctx, "no such thing")).length + 1,
    "a key by its hash": async () => found(await findKey(bytes(bytes32(other, "key")))),
    "a session by its cookie": async () => found((await authenticateWallet(await cookie(), walletCtx)).account),
    "an account by its handle": async () => found((await resolveRecipient(CHAIN, `@seed${other}`)).account),
    "an account by its address": async () => found((await resolveAccount(ctx, place(other))).account),
    "an agent by its handle": async () => found((await resolveRecipient(CHAIN, `@seed${other}/bot`)).account),
    "an own agent": async () => found(await findOwnAgent(ctx, `@seed${BUSY}/bot`)),
    "an agent": async () => found(await getAgent({ id: bot })),
    "a policy": async () => found(await getPolicy(ctx, bot)),
    "where an agent's refunds go": async () => found(await getRefundsSetting(ctx, bot)),
    "an account's enrollment": async () => found(await getEnrollment(ctx)),
    "an account's identity status": async () => found(await kycStatusOf(ctx.account.id, CHAIN)),
    "the secret's version": () => secretVersionOf(CHAIN, ctx.account),
    "what a payer is on the ledger": async () => found(await readParty(CHAIN, place(BUSY))),
    balances: async () => (await readBalances(keyCtx, {})).balances.length + 1,
    "what shows an account's balance": async () => found(await readLedger(ctx, { asset: "USDG" })),
    "the same, of another asset": async () => found(await readLedger(ctx, { asset: "ETH" })),
    "the same, of all agents": async () => (await readEveryLedger(ctx)).ledgers.length,
    "the record of shown funds": async () => (await readShownFunds(ctx)).version,
    "a transfer": async () => found((await getTransfer(ctx, id("tr_", even))).row),
    "a transfer as the dashboard shows it": async () => found((await getTransferView(ctx, id("tr_", even))).row),
    "a transfer to an exact seller": async () => found((await getExactTransfer(ctx, id("tr_", forty + 4))).exact),
    "whom a refund goes to": async () => found(await refundAccount(id("acct_", other))),
    "whether keys are unknown": async () => found((await lostIdempotencyKeys(db(), ctx)) === null),
    "an event": async () => found((await getEvent(ctx, id("evt_", even))).id),
    "a webhook": async () => found(await getWebhook(ctx, id("wh_", BUSY))),
    "a delivery": async () => found((await getDelivery(ctx, id("dlv_", even))).row),
    "a held payment, decided": async () => found(await getOwnHeld(ctx, id("txn_", forty))),
    "a held payment that waits": async () => found(await findHeld(ctx, open("txn_"))),
    "a payment request": async () => found(await findPaymentRequest(ctx, id("payreq_", forty))),
    "a payment request with its payments": async () =>
      (await getPaymentRequest(ctx, id("payreq_", forty))).payments.length,
    "a payment request by its link": async () => found(await getPublicRequest(id("payreq_", forty))),
    "the payer's own payment of a request": async () => ((await ownPayment(ctx, id("payreq_", forty + 12))) ? 1 : 0),
    "a payout": async () => found(await findPayout(ctx, id("po_", 2))),
    "a payout with its progress": async () => found(await readPayout(ctx, id("po_", 2))),
    "a payout's next rows": async () => (await nextGroup(id("po_", 2))).length,
    "whether a note was made": async () => found(await isAnyNoteMade(CHAIN, [bytes32(even, "note")])),
    "whether a note was made, no": async () => found(!(await isAnyNoteMade(CHAIN, [bytes32(0, "none")]))),
    "a schedule": async () => found(await getSchedule(ctx, id("sch_", 2))),
    "a run": async () => found(await getRun(ctx, id("sch_", 2), id("run_", 2))),
    "an operation": async () => found(await getOperation(walletCtx, id("op_", even))),
    "an account's relay quota": async () =>
      found(await requireRelayQuota(CHAIN, place(other), new Date()).then(() => 1)),
    "a shared view": async () => found(await readSharedView(id("view_", 1))),
    "a key's use": async () => (await keyUsage(ctx, id("key_", BUSY), 30)).length,
    "tokens of a rate limit": async () => (await leaseTokens([tokensOf(`seed${other}`)])).length,
    "tokens of two rate limits": async () =>
      (await leaseTokens([tokensOf(`seed${other}`), tokensOf(`seed${other + 1}`)])).length,
    "an Idempotency-Key": async () => {
      const aKey: AuthenticatedKey = {
        context: keyCtx,
        derive: async () => new Uint8Array(32),
        withGrant: () => aKey,
      };
      const attempt = await beginAttempt(aKey, {
        method: "POST",
        path: "/v1/transfers",
        bodyText: "",
        idempotencyKey: "bench",
      });
      if ("abandon" in attempt) await attempt.abandon();
      return 1;
    },
  };
}

const tokensOf = (bucket: string) => ({ bucket, policy: { quota: 1_000_000, seconds: 1 }, want: 1 }) as const;

/** The cookie of the busy account's first session. Its hash is `pg_temp.bytes32(1, 'busy session')` in the seed. */
async function cookie(): Promise<string> {
  const token = { sessionToken: "busy session1" };
  return `${sessionCookieName()}=${await encode({ token, secret: env().nextAuthSecret })}`;
}
