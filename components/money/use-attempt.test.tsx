import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServiceUnreachable } from "@/sdk/api/errors";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { KeptPayments } from "./kept-payments";
import { type PaymentAttempt, useAttempt } from "./use-attempt";

const items = new Map<string, string>();
const storage = {
  getItem: (name: string) => items.get(name) ?? null,
  setItem: (name: string, value: string) => void items.set(name, value),
  removeItem: (name: string) => void items.delete(name),
};
const payments = new KeptPayments(storage, { network: "test", address: `0x${"ab".repeat(20)}` });
const pending: PendingPayment = {
  version: 1,
  id: "a link's key",
  kind: "transfer",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [{ deadline: 1 }],
};
let whileLooking = () => {};
/** A vault whose document leaves and whose response is lost. */
const run = async (_: string, __: object, { onPending }: { onPending: (pending: PendingPayment) => void }) => {
  onPending(pending);
  if (isLost) throw new ServiceUnreachable("-");
  return { pending };
};
let isLost: boolean;

vi.mock("@/components/vault/vault-provider", () => ({ useVault: () => ({ run }) }));
vi.mock("./payments-provider", () => ({
  usePayments: () => ({ payments, kept: payments.list(), look: async () => whileLooking() }),
}));

const input = { to: "@lin", amount: "1", idempotencyKey: pending.id };
let attempt: PaymentAttempt<object, unknown>;
function Dialog() {
  attempt = useAttempt("send", { act: "send", to: () => "@lin" }) as PaymentAttempt<object, unknown>;
  return null;
}

beforeEach(async () => {
  items.clear();
  whileLooking = () => {};
  vi.stubGlobal("navigator", { onLine: true, locks: { request: async () => {} } });
  isLost = true;
  renderToStaticMarkup(<Dialog />);
  await expect(attempt.run(input)).rejects.toMatchObject({ code: "outcome_unknown" });
});
afterEach(() => vi.unstubAllGlobals());

test("a payment whose outcome is not known is open, also once another tab has dropped its record", async () => {
  expect(await attempt.look()).toBe(true);
  payments.drop(pending.id);
  expect(await attempt.look()).toBe(true);
});

test("a payment whose outcome the chain shows is not open", async () => {
  payments.change(pending.id, { outcome: { made: true, transferId: "tr_1" } });
  expect(await attempt.look()).toBe(false);
});

test("a payment whose outcome is shown while the chain is asked is not open: sent again it would be another", async () => {
  whileLooking = () => attempt.forget();
  expect(await attempt.look()).toBe(false);
});

test("an accepted payment that is doubted stays on record when another one is begun", async () => {
  isLost = false;
  await attempt.run(input);
  payments.doubt(pending);
  attempt.forget();
  expect(payments.list().map(({ id }) => id)).toEqual([pending.id]);
});
