import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import type { Kept } from "@/components/money/kept-payments";
import { Unfinished } from "@/components/money/lost-payments";
import { PaymentsProvider } from "@/components/money/payments-provider";
import { ToastProvider } from "@/components/ui/toast";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";
import { rememberApproved, takeApproved } from "./approved-now";
import { PayoutDetail } from "./payout-detail";

let vault: { status: string; run: () => Promise<unknown> };
const LEFT = [{ asset: "USDG", amount: "1234.5", rows: 320 }];
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => vault,
  useDecrypted: (method: string) => (method === "payoutLeft" ? { data: LEFT } : {}),
  decryptedKey: () => [],
}));

const CANCELLED: PayoutResource = {
  object: "payout",
  payout_id: "po_1",
  status: "cancelled",
  pause_reason: null,
  rows: 400,
  rows_pending: 0,
  rows_sent: 0,
  rows_paid: 80,
  rows_failed: 0,
  rows_cancelled: 320,
  batches: 25,
  created_at: "2026-11-28T17:10:00Z",
  finished_at: "2026-11-28T17:10:03Z",
} as PayoutResource;
const PROCESSING: PayoutResource = { ...CANCELLED, status: "processing", rows_pending: 320, rows_cancelled: 0 };

function page(node: ReactNode, payout: PayoutResource): string {
  const client = new QueryClient();
  client.setQueryData(resourceKeys.one("test", "/v1/payouts/po_1"), payout);
  return renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <NetworkProvider network="test">
          <ToastProvider>
            <PaymentsProvider address={`0x${"ab".repeat(20)}`}>{node}</PaymentsProvider>
          </ToastProvider>
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
}

const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/\s+/g, " ");
const kept = (outcome?: Kept["outcome"]): Kept => ({
  id: "po_1/5",
  act: "payout",
  to: "po_1",
  pending: {
    version: 1,
    id: "po_1/5",
    kind: "batch",
    chain_id: 46630,
    ledger: `0x${"11".repeat(20)}`,
    account: `0x${"22".repeat(20)}`,
    asset: `0x${"33".repeat(20)}`,
    since_block: "1",
    documents: [{ deadline: 1 }],
  },
  ...(outcome && { outcome }),
});

beforeEach(() => {
  vault = { status: "locked", run: vi.fn() };
  vi.stubGlobal("location", { origin: "http://localhost" });
});

test("a cancelled payout says what was paid and what was cancelled, and counts only what was paid", () => {
  const markup = page(<PayoutDetail network="test" initial={CANCELLED} />, CANCELLED);
  expect(textOf(markup)).toContain("80 of 400 paid · 320 cancelled");
  expect(textOf(markup)).not.toContain("400 of 400");
  expect(markup).toContain('aria-valuenow="20"');
  expect(textOf(markup)).not.toMatch(/Continue|try again|still to be paid/);
});

test("a payout that is opened says what is left to pay, and pays only once someone presses the button", () => {
  const opened = () => textOf(page(<PayoutDetail network="test" initial={PROCESSING} />, PROCESSING));
  expect(opened()).toContain("Unlock to continue");
  vault.status = "unlocked";
  expect(opened()).toContain("Continue paying 320 payments, 1,234.50 USDG");
  expect(takeApproved("po_1")).toBe(false);
  rememberApproved("po_1");
  expect(takeApproved("po_2")).toBe(false);
  rememberApproved("po_1");
  expect([takeApproved("po_1"), takeApproved("po_1")]).toEqual([true, false]);
});

test("a batch that did not leave before its payout was cancelled is reported nowhere, unless the chain shows it", () => {
  const notice = (payout: PayoutResource, outcome?: Kept["outcome"]) =>
    textOf(page(<Unfinished kept={kept(outcome)} />, payout));
  expect(notice(CANCELLED)).toBe("");
  expect(notice(CANCELLED, { made: false, transferId: null })).toBe("");
  expect(notice(CANCELLED, { made: true, transferId: "tr_1" })).toContain("Part of your payout was made.");
  expect(notice(PROCESSING)).toContain("We don't know yet what became of part of your payout.");
  const stopped = notice(PROCESSING, { made: false, transferId: null });
  expect(stopped).toContain("The payout says which of its rows are still to be paid.");
  expect(stopped).toContain("View payout");
});
