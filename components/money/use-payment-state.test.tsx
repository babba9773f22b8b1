import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { useState } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { ToastProvider } from "@/components/ui/toast";
import { PaymentStep } from "@/components/welcome/payment-step";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { FoundKept, Kept } from "./kept-payments";
import { TransferOutcome } from "./transfer-outcome";
import { onChainKey, paymentState } from "./use-payment-state";

const pending: PendingPayment = {
  version: 1,
  id: "a",
  kind: "transfer",
  chain_id: 46630,
  ledger: `0x${"11".repeat(20)}`,
  account: `0x${"22".repeat(20)}`,
  asset: `0x${"33".repeat(20)}`,
  since_block: "1",
  documents: [{ deadline: 1 }],
};
const SETTLED = { outcome: "settled", final: true, transfer_id: "tr_1" } as const;
let kept: Kept[];
/** If set, the first payment was accepted with this id, and the response to a second one was lost. */
let first: string | undefined;

vi.mock("@/components/welcome/money-step", async (original) => {
  const step = await original<typeof import("@/components/welcome/money-step")>();
  const useFirst = (...[method, act, onDone, to]: Parameters<typeof step.useFirst>) => {
    const attempt = step.useFirst(method, act, onDone, to);
    const [accepted, setAccepted] = useState(first);
    if (!first) return attempt;
    if (accepted) {
      setAccepted(undefined);
      onDone({ transfer_id: first, tx_hash: "0x", pending } as never, {} as never);
    }
    return { ...attempt, again: async () => {} };
  };
  return { ...step, useFirst };
});
vi.mock("@/components/vault/vault-provider", () => ({ useVault: () => ({ run: vi.fn() }) }));
vi.mock("./payments-provider", () => ({ usePayments: () => ({ payments: {}, kept, look: async () => {} }) }));

/** Renders as a page does that has read what the service says and, if given, what the chain shows. */
function page(node: React.ReactNode, says: string, shown?: FoundKept): string {
  const client = new QueryClient();
  const of = (path: Parameters<typeof resourceKeys.one>[1], query = {}) => resourceKeys.one("test", path, query);
  client.setQueryData(of("/v1/transfers/tr_1"), { status: says });
  const listed = { transfers: [{ transfer_id: "tr_1", to: "@lin", status: says }] };
  client.setQueryData(of("/v1/transfers", { direction: "sent", limit: 1 }), listed);
  client.setQueryData(onChainKey("test", pending), shown);
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <NetworkProvider network="test">
          <ToastProvider>{node}</ToastProvider>
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
  return markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

beforeEach(() => {
  kept = [];
  first = undefined;
  vi.stubGlobal("location", { origin: "http://localhost" });
});

test("that a payment failed is believed of the chain alone, never of the service", () => {
  expect(paymentState("failed", undefined)).toBe("unknown");
  expect(paymentState("failed", { outcome: "open" })).toBe("unknown");
  expect(paymentState("failed", { ...SETTLED, final: false })).toBe("pending");
  expect(paymentState("failed", SETTLED)).toBe("confirmed");
  expect(paymentState("failed", { outcome: "nothing_moved" })).toBe("failed");
  expect([undefined, "pending", "confirmed"].map((says) => paymentState(says as "pending", undefined))).toEqual([
    "pending",
    "pending",
    "confirmed",
  ]);
});

test("after a payment, nothing says to send it again because the service calls it failed", () => {
  const outcome = (says: string, shown?: FoundKept) =>
    page(
      <TransferOutcome id="tr_1" pending={pending}>
        1.00 USDG
      </TransferOutcome>,
      says,
      shown,
    );
  for (const shown of [undefined, { outcome: "open" } as const]) {
    const text = outcome("failed", shown);
    expect(text).toContain("Not known yet");
    expect(text).toContain("Do not send it again.");
    expect(text).not.toMatch(/no money moved|You can send it/i);
  }
  expect(outcome("failed", SETTLED)).toContain("Final on chain.");
  expect(outcome("failed", { outcome: "nothing_moved" })).toMatch(/no money moved. You can send it again/);
});

test("a payment that the chain has shown does not fail because the service says so", () => {
  const outcome = (
    <TransferOutcome id="tr_1" pending={undefined}>
      1.00 USDG
    </TransferOutcome>
  );
  expect(page(outcome, "failed")).toContain("Final on chain.");
});

test("the first payment is not offered again because the service calls it failed", () => {
  const step = <PaymentStep to="@lin" onPaid={() => {}} />;
  const offer = "Pay 1.50 USDG to @lin";
  kept = [{ id: "a", act: "send", to: "@lin", pending, accepted: true }];
  const open = page(step, "failed");
  expect(open).toContain("Do not pay again.");
  expect(open).not.toContain(offer);
  expect(open).not.toContain("nothing was paid");
  const failed = page(step, "failed", { outcome: "nothing_moved" });
  expect(failed).toContain("The chain did not accept this payment; nothing was paid.");
  expect(failed).toContain(offer);
  // By an API key: only the service knows of it.
  kept = [];
  expect(page(step, "failed")).toContain("The service says that this payment failed");
});

test("while the outcome of a second first payment is unknown, nothing says to pay again because the first one failed", () => {
  first = "tr_1";
  const step = <PaymentStep to="@lin" onPaid={() => {}} />;
  const text = page(step, "failed", { outcome: "nothing_moved" });
  expect(text).toContain("Do not pay again.");
  expect(text).not.toContain("nothing was paid. Pay again.");
});
