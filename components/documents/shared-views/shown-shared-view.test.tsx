import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CheckedSharedView, CheckedViewPayment } from "@/sdk/statements/shared-views/check-shared-view";
import { ShownSharedView } from "./shown-shared-view";

const [owner, payee] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const;

const payment = (changes: Partial<CheckedViewPayment>): CheckedViewPayment => ({
  state: "proven",
  reason: null,
  direction: "out",
  public: false,
  time: "2026-11-28T17:14:00.000Z",
  final: true,
  from: owner,
  to: payee,
  amount: "1.5",
  asset: "USDG",
  tx_hash: "0x01",
  name: null,
  reference: "order-7",
  memo: null,
  ...changes,
});

function shown(payments: CheckedViewPayment[], changes: Partial<CheckedSharedView> = {}): string {
  const view: CheckedSharedView = {
    network: "test",
    ledger: owner,
    accounts: [{ address: owner, name: "Ada" }],
    from: "2026-11-01T00:00:00.000Z",
    to: "2026-12-01T00:00:00.000Z",
    time_zone: "UTC",
    counterparty: null,
    title: "November",
    created_at: "2026-11-28T00:00:00.000Z",
    expires_at: "2026-12-28T00:00:00.000Z",
    payments,
    refused: payments.filter(({ state }) => state === "refused").length,
    totals: [{ asset: "USDG", paid_in: "0", paid_out: "1.5", payments: 1 }],
    ...changes,
  };
  const checkable = { network: "test" as const, rpcUrl: "http://localhost:8545", ledger: owner };
  return renderToStaticMarkup(<ShownSharedView view={view} checkable={checkable as never} />);
}

/** Returns the markup of the cells that say how a row was checked. */
const checks = (html: string) =>
  [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) => cell).filter((cell) => /roven|final/.test(cell));

test("only what is not proven or not final stands out in the rows of a shared view", () => {
  const [proven = "", early = "", none = ""] = checks(shown([payment({}), payment({ final: false })])).concat(
    checks(shown([payment({ state: "refused", reason: "Another amount.", time: null })])),
  );
  expect(proven).toContain("Proven");
  expect(proven).not.toContain("success");
  expect(early).toMatch(/warning.*Not final yet/);
  expect(none).toMatch(/danger.*Not proven.*Another amount\./);
});

test("the date of a row stays on one line", () => {
  expect(shown([payment({})])).toMatch(/<time [^>]*class="[^"]*whitespace-nowrap/);
});

test("the period and the end of a shared view are written as every other day, and a single day once", () => {
  const end = { from: "2100-11-01T00:00:00.000Z", expires_at: "2100-12-28T00:00:00.000Z" };
  const text = (to: string) => shown([payment({})], { ...end, to }).replace(/<[^>]*>/g, "");
  const month = text("2100-12-01T00:00:00.000Z");
  expect(month).toContain("1 Nov 2100 to 30 Nov 2100, days in UTC");
  expect(month).toContain("This link ends on 28 Dec 2100, 00:00 UTC.");
  expect(text("2100-11-02T00:00:00.000Z")).toContain("Ada · 1 Nov 2100, in UTC");
});
