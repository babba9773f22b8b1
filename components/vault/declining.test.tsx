import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { Purpose } from "@/components/wallet/purposes";
import { declining } from "./declining";
import { SigningButtons, SigningFrame } from "./signing-frame";

const shownDialog = vi.hoisted(() => vi.fn(() => null));
vi.mock("@/components/ui/dialog", () => ({ Dialog: shownDialog }));

const shown = (busy: boolean) =>
  renderToStaticMarkup(
    <SigningButtons
      decline="Do not sign"
      busy={busy}
      waitingFor="your wallet"
      disabled={false}
      onSign={() => {}}
      onDecline={() => {}}
    />,
  );
const isDisabled = (markup: string, label: string) => {
  const [button = ""] = markup.match(new RegExp(`<button[^>]*>(?:(?!</button>).)*${label}`)) ?? [];
  return / (aria-)?disabled="/.test(button.replace(/aria-disabled="false"/, ""));
};

test("a signature can be given up while the wallet does not respond", () => {
  expect(shown(true)).toContain("Waiting for your wallet");
  for (const busy of [false, true]) expect(isDisabled(shown(busy), "Do not sign")).toBe(false);
});

test("while the wallet is asked, a stray click beside the dialog or Escape does not give the signature up", () => {
  const purpose = { title: "Sign", sentence: "" } as Purpose;
  for (const busy of [false, true]) {
    const props = { purpose, open: true, busy, waitingFor: "your wallet", disabled: false, error: "", children: null };
    renderToStaticMarkup(<SigningFrame {...props} onSign={() => {}} onDecline={() => {}} />);
    expect(shownDialog).toHaveBeenLastCalledWith(expect.objectContaining({ dismissible: !busy }), undefined);
  }
});

test.each(["typed-data", "message"] as const)(
  "given up while the wallet is asked, a %s is certainly not signed",
  (kind) => {
    const request = kind === "message" ? { kind, message: "" } : { kind, data: {} as never };
    for (const waiting of [false, true]) {
      expect(declining(request, waiting)).toMatchObject({ label: "Do not sign", error: { code: "aborted" } });
    }
  },
);

test("given up while the wallet is asked, a transaction may still be sent; before that, it is certainly not", () => {
  const request = { kind: "transaction", call: { to: "0x01" }, chainId: 1 } as const;
  expect(declining(request, false)).toMatchObject({ label: "Do not sign", error: { code: "aborted" } });
  expect(declining(request, true)).toMatchObject({ label: "Stop waiting", error: { code: "unavailable" } });
});
