import { decryptPayoutRows, exportPayoutRows } from "@/components/vault/methods/payouts";
import { X402Resource } from "@/sdk/resources/x402-resource";
import { memoryTexts } from "@/test/x402/memory-texts";
import { atFirstSight, bot, EVER, entries, translated, type Verb } from "./client-action";

/** Reports that are also tried on a machine without pins. */
const AT_FIRST_SIGHT = ["balance", "transfers", "statement", "receipt of someone", "payment request of someone"];

/** What only the service says of a schedule: how it lists it. What it pays, and when, is encrypted. */
const SCHEDULED = [
  "encrypted",
  "schedule_id",
  "status",
  "next_run",
  "due_runs",
  "created_at",
  "updated_at",
  "window_seconds",
];

/** What reports money. */
const REPORTED: readonly Verb[] = [
  { name: "balance", of: ["balances.decrypt"], run: (client) => client.balances.decrypt() },
  {
    name: "the agent's balance",
    of: ["balances.decrypt"],
    run: (client, world) => client.balances.decrypt({ agent: bot(world) }),
  },
  { name: "transfers", of: ["transfers.listDecrypted"], run: (client) => entries(client.transfers.listDecrypted()) },
  {
    name: "transfer",
    of: ["transfers.getDecrypted"],
    run: (client, { received }) => client.transfers.getDecrypted(received),
  },
  {
    name: "refundable",
    of: ["transfers.refundable"],
    run: (client, { received }) => client.transfers.refundable(received),
  },
  { name: "receipt", of: ["receipts.create"], run: (client, { received }) => client.receipts.create(received) },
  {
    name: "receipt of someone",
    of: ["receipts.verify"],
    before: async (world) => (await (await world.client()).receipts.create(world.received)).receipt,
    run: (client, _, receipt) => client.receipts.verify(receipt),
  },
  {
    name: "statement",
    of: ["statements.create"],
    // The handle beside an address is the service's word, which the guide and the PDF say.
    labels: ["counterparty"],
    run: (client) => client.statements.create(EVER),
  },
  {
    name: "proof of funds",
    of: ["proofsOfFunds.verify"],
    before: async (world) => {
      const created = await (await world.client()).proofsOfFunds.create({
        for: "Bank",
        atLeast: "10",
        expires: world.expires,
      });
      return created.proof_of_funds;
    },
    run: (client, _, proof) => client.proofsOfFunds.verify(proof),
  },
  {
    name: "payment request of someone",
    of: ["paymentRequests.open"],
    labels: ["payee_handle", "status"],
    before: (world) => world.requestOfPayee("3", "lunch"),
    run: (client, _, link) => client.paymentRequests.open(link),
  },
  {
    name: "payment requests",
    of: ["paymentRequests.list"],
    before: (world) => world.request(),
    run: (client) => entries(client.paymentRequests.list()),
  },
  {
    name: "payments awaiting approval",
    of: ["approvals.list"],
    labels: ["transaction_id", "agent", "status", "requested_at", "expires_at"],
    before: (world) => world.held(),
    run: (client) => entries(client.approvals.list()),
  },
  { name: "lost balance", of: ["security.balanceLoss"], run: (client) => client.security.balanceLoss() },
  {
    name: "shared view of someone",
    of: ["sharedViews.verify"],
    before: (world) => world.sharedView(),
    run: async (client, _, link) => {
      const checked = await client.sharedViews.verify(link);
      // A view that says which payments prove nothing is not relied on.
      return checked.refused > 0 ? {} : checked;
    },
  },
  {
    name: "shared views",
    of: ["sharedViews.list"],
    // A view's title, id and times are in no block.
    labels: ["shared_view_id", "label", "created_at", "expires_at", "opened_at"],
    before: (world) => world.sharedView(),
    run: (client) => entries(client.sharedViews.list()),
  },
  {
    name: "what a proof of funds would show",
    of: ["proofsOfFunds.preview"],
    run: async (client, { expires }) => {
      const preview = await client.proofsOfFunds.preview({ for: "Bank", atLeast: "10", expires });
      // Without a record that it can open, a client asks again before it shows anything.
      return preview.needs_again ? {} : preview;
    },
  },
  {
    name: "proven balances",
    of: ["balances.get"],
    before: (world) => world.verified(),
    run: async (client) => {
      const proven = await client.balances.get({ prove: true });
      // Who says that payments are not counted says no total.
      return proven.undecrypted_notes ? {} : proven;
    },
  },
  {
    name: "guard",
    of: ["security.guard"],
    run: (client) => client.security.guard(),
  },
  {
    name: "policy",
    of: ["policies.get"],
    labels: ["policy_id", "updated_at"],
    run: (client, world) => client.policies.get(bot(world)),
  },
  {
    name: "limits",
    of: ["limits.get"],
    last: true,
    labels: ["policy_id", "updated_at"],
    before: async (world) => {
      await (await world.client()).limits.set({ daily_limit_usdg: 5, per_transaction_limit_usdg: 2 });
      return "";
    },
    run: (client) => client.limits.get(),
  },
  {
    name: "schedule",
    of: ["schedules.getDecrypted"],
    labels: SCHEDULED,
    before: (world) => world.schedule(),
    run: (client, _, id) => client.schedules.getDecrypted(id),
  },
  {
    name: "payout rows",
    of: ["wallet payouts"],
    before: (world) => world.payout(),
    labels: ["error", "reference", "to", "batch", "transferId"],
    run: async (_client, world, id, meddle) => translated(exportPayoutRows(await world.context(meddle), { id })),
  },
  {
    name: "payout rows on a page",
    of: ["wallet payouts"],
    before: (world) => world.payout(),
    labels: ["error", "reference", "to", "batch", "transferId", "hasMore"],
    run: async (_client, world, id, meddle) => translated(decryptPayoutRows(await world.context(meddle), { id })),
  },
  {
    name: "payment for a request",
    of: ["paymentRequests.check"],
    // What the service makes of a finding.
    labels: ["status"],
    run: async (client, world) => {
      // Each is checked once.
      const checked = await client.paymentRequests.check({ id: await world.paidRequest() });
      // What could not be checked says why, and nothing else.
      const found = checked.filter(({ problem }) => problem === null);
      return found.map(({ payment_request_id: _, transfer_id: __, ...one }) => one);
    },
  },
  {
    name: "payment request",
    of: ["paymentRequests.retrieve"],
    before: (world) => world.request(),
    run: (client, _, id) => client.paymentRequests.retrieve(id),
  },
  {
    name: "payment request that is paid",
    of: ["paymentRequests.retrieve"],
    // How each payment stands is compared by `check`.
    labels: ["state"],
    before: (world) => world.coveredRequest(),
    run: (client, _, id) => client.paymentRequests.retrieve(id),
  },
  {
    name: "refund received",
    of: ["transfers.checkRefund"],
    before: (world) => world.refundReceived(),
    run: (client, _, id) => client.transfers.checkRefund(id),
  },
  {
    name: "price over x402",
    of: ["x402.price"],
    before: async (world) => (await world.shops()).x402,
    run: async (_client, world, url, meddle) =>
      translated(new X402Resource(await world.context(meddle), { offers: memoryTexts() }).price(`${url}/report`)),
  },
];

/** What a client reports, also on a machine that sees the service for the first time. */
export const REPORTS: readonly Verb[] = [
  ...REPORTED,
  ...REPORTED.filter(({ name }) => AT_FIRST_SIGHT.includes(name)).map(atFirstSight),
];
