import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { ToastProvider } from "@/components/ui/toast";
import { ActDialog } from "./act-dialog";
import { ActCancelled, type ActState } from "./act-state";
import { ACT_WORDS } from "./act-wording";
import type { Kept, KeptAct } from "./kept-payments";
import { Unfinished } from "./lost-payments";
import { PaymentsProvider } from "./payments-provider";
import type { MoneyMutation } from "./use-money-mutation";

let over: boolean;
vi.mock("@/components/api/use-session-over", () => ({ useSessionOver: () => over }));
vi.mock("@/components/ui/dialog", () => ({
  Dialog: ({ title, children, footer }: Record<"title" | "children" | "footer", ReactNode>) => (
    <section>
      {title}
      {children}
      <footer>{footer}</footer>
    </section>
  ),
}));

function render(node: ReactNode) {
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <QueryClientProvider client={new QueryClient()}>
        <NetworkProvider network="test">
          <ToastProvider>
            <PaymentsProvider address={`0x${"ab".repeat(20)}`}>{node}</PaymentsProvider>
          </ToastProvider>
        </NetworkProvider>
      </QueryClientProvider>
    </AppRouterContext>,
  );
  const [, footer = ""] = /<footer>(.*)<\/footer>/.exec(markup) ?? [];
  return {
    text: markup
      .replace(/<[^>]*>/g, " ")
      .replace(/&#x27;/g, "'")
      .replace(/\s+/g, " "),
    buttons: [...footer.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, inside = ""]) =>
      inside.replace(/<[^>]*>/g, ""),
    ),
  };
}

const dialog = (name: KeptAct, state: ActState<unknown, unknown>) =>
  render(
    <ActDialog
      title="The act"
      description=""
      onClose={() => {}}
      onSubmit={() => {}}
      submit="Review"
      act={{ state } as MoneyMutation<unknown, unknown>}
      words={ACT_WORDS[name]}
      asset="USDG"
      review={{ title: "Review", content: null, submit: "Pay", onSubmit: () => {} }}
    >
      {null}
    </ActDialog>,
  );

const kept = (act: KeptAct, outcome?: Kept["outcome"]): Kept => ({
  id: "a",
  act,
  to: "@lin",
  pending: {
    version: 1,
    id: "a",
    kind: "transfer",
    chain_id: 46630,
    ledger: `0x${"11".repeat(20)}`,
    account: `0x${"22".repeat(20)}`,
    asset: `0x${"33".repeat(20)}`,
    since_block: "1",
    documents: [{ deadline: 1 }],
  },
  ...(outcome && { outcome }),
});

/** A payout reports in its own page, and its notice depends on the payout. */
const ACTS = (Object.keys(ACT_WORDS) as KeptAct[]).filter((act) => act !== "payout");
const SAYS_NOTHING_MOVED = /Nothing was|It was not|was not made/;

beforeEach(() => {
  over = false;
  vi.stubGlobal("location", { origin: "http://localhost" });
});

describe.each(ACTS)("%s", (act) => {
  const { refused, whether, warning, subject } = ACT_WORDS[act];

  test("offline, the dialog says that nothing moved, and the act can be started again", () => {
    const { text, buttons } = dialog(act, { at: "review", input: {}, refused: new ActCancelled("offline") });
    expect(text).toContain("You are offline. Nothing was prepared.");
    expect(text).toContain(refused);
    expect(text).not.toContain("We don't know yet");
    expect(buttons).toEqual(["Back", "Pay"]);
  });

  test("once its response is lost, the dialog says what is unknown and what not to do, and offers to check only", () => {
    const { text, buttons } = dialog(act, { at: "unknown", input: {}, reviewed: true, looking: false } as never);
    for (const said of [`We don't know yet ${whether}.`, warning, "Halcyon keeps checking."])
      expect(text).toContain(said);
    expect(text).not.toMatch(SAYS_NOTHING_MOVED);
    expect(buttons).toEqual(["Close", "Check again"]);
  });

  test.each(["form", "review"] as const)(
    "where the session has ended at the %s, nothing moved, and the dialog only leads to the sign-in",
    (at) => {
      over = true;
      const { text, buttons } = dialog(act, { at, input: {} });
      expect(text).toContain("You have been signed out.");
      expect(text).toContain(refused);
      expect(buttons).toEqual(["Close", "Sign in"]);
    },
  );

  test("for who comes back after the tab was closed, the notice is of what the chain shows", () => {
    const notice = (outcome?: Kept["outcome"]) => render(<Unfinished kept={kept(act, outcome)} />).text;
    const name = subject("@lin");
    const open = notice();
    expect(open).toContain(`We don't know yet what became of ${name.charAt(0).toLowerCase()}${name.slice(1)}.`);
    expect(open).toContain(warning);
    expect(open).not.toMatch(SAYS_NOTHING_MOVED);
    const done = notice({ made: true, transferId: "tr_1" });
    expect(done).toContain(`${name} was made.`);
    expect(done).not.toMatch(SAYS_NOTHING_MOVED);
    const not = notice({ made: false, transferId: null });
    expect(not).toContain(`${name} was not made.`);
    expect(not).toContain(refused);
    expect(not).toContain("you can safely try again");
  });
});
