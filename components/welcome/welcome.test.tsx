import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ToastProvider } from "@/components/ui/toast";
import type { FirstVisit } from "./progress";
import { Welcome } from "./welcome";

vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ status: "locked", run: vi.fn(), unlock: vi.fn() }),
  useVaultOwner: () => ({ address: "0x" }),
  useDecrypted: () => ({ data: undefined, isPending: true }),
}));
vi.mock("@/components/money/payments-provider", () => ({ usePayments: () => ({ payments: undefined, kept: [] }) }));

beforeEach(() => vi.stubGlobal("location", new URL("http://localhost/test/welcome")));

const NEW: FirstVisit = { handle: null, enrolled: false, verified: false, madeAvailable: false, paid: false };
const render = (known: Partial<FirstVisit>, more: { payee?: string; keyed?: boolean } = {}) =>
  renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <NetworkProvider network="test">
          <ToastProvider>
            <Welcome known={{ ...NEW, ...known }} local address="0x" waiting={null} keyed={false} {...more} />
          </ToastProvider>
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
const text = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
/** The title of the step that is open. */
const now = (markup: string) => /aria-current="step".*?<h2[^>]*>([^<]*)/.exec(markup)?.[1];

const ENROLLED = { handle: "@lin", enrolled: true };
const FUNDED = { ...ENROLLED, verified: true, madeAvailable: true };

test.each<[string, Partial<FirstVisit>, string]>([
  ["without an account", {}, "Choose a handle"],
  ["with a handle", { handle: "@lin" }, "Enroll your account"],
  ["enrolled", ENROLLED, "Verify your identity"],
  ["verified", { ...ENROLLED, verified: true }, "Add money"],
  ["with money", FUNDED, "Make a payment"],
])("a first visit %s goes on where it was, and asks for one thing", (_, known, title) => {
  const markup = render(known, { payee: "@demo" });
  expect(now(markup)).toBe(title);
  expect(markup.match(/aria-current="step"/g)).toHaveLength(1);
});

test("one can go to the dashboard as soon as there is an account, and is offered an API key after the payment alone", () => {
  expect(text(render({}))).not.toContain("dashboard");
  expect(text(render(FUNDED, { payee: "@demo" }))).toContain("Skip to the dashboard");
  expect(text(render(FUNDED, { payee: "@demo" }))).not.toMatch(/API key/);
  const done = text(render({ ...FUNDED, paid: true }, { payee: "@demo" }));
  expect(done).toContain("Your payment arrived.");
  expect(done).toContain("Go to your dashboard");
  expect(done).toMatch(/API key/);
  expect(text(render({ ...FUNDED, paid: true }, { payee: "@demo", keyed: true }))).not.toMatch(/API key/);
});

test("where no account is known to exist, the first payment asks whom to pay, and pays no one until then", () => {
  expect(text(render(FUNDED, { payee: "@demo" }))).toContain("Pay 1.50 USDG to @demo");
  const markup = render(FUNDED);
  expect(text(markup)).toContain("someone with an account here");
  expect(markup).toMatch(/<button[^>]*disabled=""[^>]*>(?:(?!<\/button>).)*Pay 1\.50 USDG/);
});
