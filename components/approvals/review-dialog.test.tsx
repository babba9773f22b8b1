import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { Children, isValidElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { ActCancelled, SignedOut } from "@/components/money/act-state";
import type { ApprovalAgent, HeldDetails } from "./held-payment";
import { type ApprovalStep, ReviewDialog } from "./review-dialog";
import type { DecisionState } from "./use-decision";
import { WhyHeld } from "./why-held";

const [ASKED, ELSEWHERE] = [`0x${"b0".repeat(20)}`, `0x${"e0".repeat(20)}`];
let opened: Record<string, unknown>;
let status: "locked" | "unlocked";

vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ status }),
  useDecrypted: (method: string) => ({ data: status === "unlocked" ? opened[method] : undefined, error: null }),
}));
/** The buttons below each dialog that was shown. */
let footers: ReactNode[];
vi.mock("@/components/ui/dialog", () => ({
  Dialog: ({ title, children, footer }: Record<"title" | "children" | "footer", ReactNode>) => {
    footers.push(footer);
    return (
      <section>
        <h2>{title}</h2>
        {children}
        <footer>{footer}</footer>
      </section>
    );
  },
}));

const AGENT: ApprovalAgent = { account_id: "acct_bot", handle: "@alice/bot", public_key: "0x01", status: "active" };
const HELD = {
  transaction_id: "tx_1",
  status: "pending_approval",
  agent: "@alice/bot",
  to: "@bob",
  asset: "USDG",
  confidential: true,
  ciphertext: "0x01",
  requested_at: "2026-11-28T10:00:00Z",
  expires_at: "2026-11-29T10:00:00Z",
  decided_at: null,
  decided_by: null,
} as unknown as HeldDetails;
const POLICY = {
  daily_limit_usdg: 200,
  per_transaction_limit_usdg: 100,
  hitl_threshold_usdg: 10,
  allowed_recipients: ["*"],
  recipient_limits: [],
  assets: ["USDG"],
  active_hours: "00:00-24:00",
  time_zone: "UTC",
  limits: {},
  monthly_limit_usdg: null,
  payments_per_hour: null,
  payments_per_day: null,
  public_payments: false,
};
const IDLE = { of: undefined, busy: false, error: null, run: () => {} };

function shown(decision: Partial<DecisionState> = {}, step: ApprovalStep = "review") {
  const client = new QueryClient();
  client.setQueryData(resourceKeys.one("test", "/v1/agents/transactions/tx_1"), HELD);
  client.setQueryData(resourceKeys.one("test", "/v1/agents/acct_bot/spend-policy"), POLICY);
  const state = { approving: IDLE, rejecting: IDLE, isLost: () => false, found: () => undefined, ...decision };
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={client}>
        <NetworkProvider network="test">
          <ReviewDialog
            id="tx_1"
            open
            agents={[AGENT]}
            now={Date.parse(HELD.requested_at)}
            sessionId="ses_1"
            step={step}
            onStep={() => {}}
            decision={state as unknown as DecisionState}
            onApprove={() => {}}
            unasked={false}
            onUnasked={() => {}}
            onClose={() => {}}
            initial={HELD}
          />
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
  const [, footer = ""] = /<footer>(.*)<\/footer>/.exec(markup) ?? [];
  const buttons = [...footer.matchAll(/<button([^>]*)>(.*?)<\/button>/g)].map(([, attributes = "", inside = ""]) => ({
    label: inside.replace(/<[^>]*>/g, ""),
    isDisabled: / disabled=""/.test(attributes),
  }));
  return { text: textOf(markup), markup, buttons };
}

const textOf = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** Presses a button below the dialogs. */
function press(label: string, within: ReactNode = footers): void {
  for (const one of Children.toArray(within)) {
    if (!isValidElement<{ children?: ReactNode; onClick?: () => void }>(one)) continue;
    if (one.props.children === label) one.props.onClick?.();
    else press(label, one.props.children);
  }
}

beforeEach(() => {
  footers = [];
  status = "unlocked";
  opened = {
    held: { amount: "17.391846", memo: "Paper", recipient: ASKED },
    recipient: { address: ASKED, ready: true, own: null, pin: "first" },
    agentSpending: [{ assets: [{ asset: "USDG", spent: "0", available: "140" }] }],
  };
});

test("decrypted, a payment that needs approval shows what is asked and what is spent, and can be approved", () => {
  const { text, buttons } = shown();
  // Digits beyond two decimals are an element of their own.
  for (const said of ["bot asks to pay @bob", "17.39 1846 USDG", "Paper", "Not paid from this device before."])
    expect(text).toContain(said);
  expect(text).toMatch(/0\.00 USDG of 200\.00 USDG used/);
  expect(text).toContain("24 h 0 min left");
  expect(buttons).toEqual([
    { label: "Reject", isDisabled: false },
    { label: "Approve payment", isDisabled: false },
  ]);
});

test("one approval is one dialog: what it shows is approved by its button, and nothing else is asked", () => {
  for (const step of ["review", "approve"] as const) {
    footers = [];
    const approved: string[] = [];
    const run = ({ transaction_id }: HeldDetails) => approved.push(transaction_id);
    const { markup } = shown({ approving: { ...IDLE, run } as never }, step);
    // Its whole address, whose parts are elements.
    expect(markup.replace(/<[^>]*>/g, "")).toContain(ASKED);
    press("Approve payment");
    expect([footers.length, approved]).toEqual([1, ["tx_1"]]);
  }
});

test("why it is asked is said with its amount, and with the whole policy", () => {
  const checks = { policy: POLICY, spending: undefined } as unknown as Parameters<typeof WhyHeld>[0]["checks"];
  const content = { content: { amount: "17.391846" } } as Parameters<typeof WhyHeld>[0]["opened"];
  const text = textOf(renderToStaticMarkup(<WhyHeld held={HELD} opened={content} checks={checks} />));
  expect(text).toMatch(/17\.39 1846 USDG is above 10\.00 USDG/);
  expect(text).toContain("200 USDG a day");
});

test("locked, nothing of its content is there, and approving asks to unlock first", () => {
  status = "locked";
  const { text, markup, buttons } = shown();
  for (const secret of ["17.391846", "Paper", ASKED]) expect(markup).not.toContain(secret);
  expect(text).toContain("encrypted amount");
  expect(buttons.map(({ label }) => label)).toEqual(["Reject", "Unlock to approve"]);
});

test("a name that leads elsewhere than the agent asked is a danger, and can be rejected only", () => {
  opened.recipient = { address: ELSEWHERE, ready: true, own: null, pin: "first" };
  const { text, buttons } = shown();
  expect(text).toContain("@bob now leads to another address.");
  expect(text).toContain("Reject it, and ask the recipient before you pay.");
  for (const step of ["review", "approve"] as const) {
    expect(shown({}, step).buttons).toEqual([
      { label: "Reject", isDisabled: false },
      { label: "Approve payment", isDisabled: true },
    ]);
  }
  expect(buttons).toHaveLength(2);
});

test("until the recipient is found, it can't be approved", () => {
  opened.recipient = undefined;
  expect(shown().buttons.at(-1)).toEqual({ label: "Approve payment", isDisabled: true });
});

test("while it is approved, nothing says that it was, and nothing can be pressed twice", () => {
  const { text, buttons } = shown({ approving: { ...IDLE, of: "tx_1", busy: true } as never });
  expect(text).toContain("Approving the payment");
  expect(text).toContain("Proving on this machine");
  expect(text).not.toMatch(/Approved|Final on chain/);
  expect(buttons.map(({ label }) => label)).toEqual(["Approve payment"]);
  expect(buttons[0]?.isDisabled).toBe(true);
});

test("an approval whose response was lost can only be checked again, and is not said to have failed", () => {
  const { text, buttons } = shown({ isLost: () => true });
  expect(text).toContain("Waiting for confirmation");
  expect(text).toContain("Do not approve or pay it again.");
  expect(text).not.toMatch(/not approved|not made/);
  expect(buttons.map(({ label }) => label)).toEqual(["Close", "Check again"]);
});

test.each([
  { why: "someone is offline", error: new ActCancelled("offline"), says: "You are offline. Nothing was prepared." },
  { why: "the session has ended", error: new SignedOut(), says: "You have been signed out." },
])("where $why, the dialog says that it was not approved, and it can be approved again", ({ error, says }) => {
  const { text, buttons } = shown({ approving: { ...IDLE, of: "tx_1", error } as never });
  expect(text).toContain(says);
  expect(text).toContain("It was not approved.");
  expect(buttons.at(-1)).toEqual({ label: "Approve payment", isDisabled: false });
  // Of another payment, this one says nothing.
  expect(shown({ approving: { ...IDLE, of: "tx_2", error } as never }).text).not.toContain("It was not approved.");
});

test("rejecting is asked once more", () => {
  const { text, buttons } = shown({}, "reject");
  expect(text).toContain("Reject this payment?");
  expect(buttons.map(({ label }) => label)).toEqual(["Back", "Reject payment"]);
});
