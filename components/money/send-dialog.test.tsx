import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ToastProvider } from "@/components/ui/toast";
import { HalcyonError } from "@/sdk/api/errors";
import { PaymentsProvider } from "./payments-provider";
import { recipientProblem } from "./recipient-state";
import { SendDialog } from "./send-dialog";

let found: { data?: object; error?: Error | null };
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ status: "unlocked", reads: true, run: vi.fn(), unlock: vi.fn() }),
  useDecrypted: (method: string) => (method === "recipient" ? found : { data: undefined, isPending: true }),
  decryptedKey: () => [],
}));
vi.mock("@/components/ui/dialog", () => ({
  Dialog: ({ children }: { children: ReactNode }) => <section>{children}</section>,
}));

const ADDRESS = `0x${"b0".repeat(20)}`;

function formTo(to: string): string {
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <NetworkProvider network="test">
          <ToastProvider>
            <PaymentsProvider address={ADDRESS}>
              <SendDialog
                to={to}
                asset="USDG"
                address={ADDRESS}
                assets={[{ symbol: "USDG", decimals: 6 }] as never}
                local={false}
                onClose={() => {}}
              />
            </PaymentsProvider>
          </ToastProvider>
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
  return markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

beforeEach(() => {
  found = { data: { address: ADDRESS, ready: true, own: null, pin: "first" }, error: null };
  vi.stubGlobal("location", new URL("http://localhost/test/balances"));
});

test("a form says of a recipient who can't be paid why, as soon as they are looked up", () => {
  found = { error: new HalcyonError("recipient_not_found", "none") };
  expect(formTo("@nobody")).toContain("No account has this handle. Check the spelling.");
  found = { data: { address: ADDRESS, ready: false, own: null, pin: null }, error: null };
  expect(formTo(ADDRESS)).toContain("Not enrolled on this network");
  found = { data: { address: ADDRESS, ready: true, own: "account", pin: null }, error: null };
  expect(formTo("@me")).toContain("This is your own account.");
});

test("a recipient who can be paid is known by the address, and a first payment is said to be one", () => {
  expect(formTo("@bob")).toContain("First payment: this address is remembered on this device.");
  found = { data: { address: ADDRESS, ready: true, own: null, pin: "same" }, error: null };
  expect(formTo("@bob")).toContain("Same address as at your first payment.");
  expect(formTo("@bob")).not.toMatch(/No account|Not enrolled/);
});

test("what is no handle and no address is refused before anyone is asked", () => {
  for (const wrong of ["", "bob", "@", "0x12", "@bob/"]) expect(recipientProblem(wrong), wrong).toBeDefined();
  for (const right of ["@bob", "@bob/bot", ADDRESS]) expect(recipientProblem(right), right).toBeUndefined();
});
