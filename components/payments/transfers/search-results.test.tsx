import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import { SearchResults } from "./search-results";

let found: { data?: object; error?: Error; progress?: object };
let reads: boolean;
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ status: reads ? "unlocked" : "locked", reads, unlock: vi.fn() }),
  useDecrypted: () => ({ isFetching: false, refetch: vi.fn(), ...found }),
}));
vi.mock("./use-decrypted-transfer", () => ({
  TransferAmount: ({ transfer }: { transfer: { transfer_id: string } }) => <span>{transfer.transfer_id}</span>,
  TransferMemo: () => null,
}));

const payment = (id: string, amount: string, day: number) => ({
  amount,
  memo: null,
  transfer: {
    ...{ transfer_id: id, status: "confirmed", from: "@lin", to: "@bob", direction: "sent", kind: "transfer" },
    ...{ asset: "USDG", confidential: true, created_at: `2026-11-${day}T08:00:00.000Z`, agent: null },
  },
});
const [large, small, middle] = [
  payment("tr_large", "30", 10),
  payment("tr_small", "1", 12),
  payment("tr_mid", "9", 11),
];

type Order = "newest" | "oldest" | "largest" | "smallest";
const markup = (order: Order, text = "") =>
  renderToStaticMarkup(<SearchResults path="/test/transfers" text={text} order={order} />);
const shown = (order: Order) => [...markup(order).matchAll(/href="\/test\/transfers\/(tr_\w+)"/g)].map(([, id]) => id);
const words = (order: Order) =>
  markup(order)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

beforeEach(() => {
  reads = true;
  found = { data: { payments: [large, middle, small], found: 3, searched: 3, more: false } };
});

test("payments sorted by amount are one list in that order; by date they are grouped by day", () => {
  expect(shown("largest")).toEqual(["tr_large", "tr_mid", "tr_small"]);
  const days = (order: Order) => markup(order).match(/<th[^>]*scope="rowgroup"/g)?.length ?? 0;
  expect(days("largest")).toBe(0);
  found = { data: { payments: [small, middle, large], found: 3, searched: 3, more: false } };
  expect(shown("newest")).toEqual(["tr_small", "tr_mid", "tr_large"]);
  expect(days("newest")).toBe(3);
});

test("an order says how far it reaches, and goes further on a press", () => {
  found = { data: { payments: [large], found: 585, searched: 2_500, more: true } };
  expect(words("largest")).toContain("1 of 585 among your newest 2,500 payments");
  expect(words("largest")).toContain("Search older ones");
  found = { data: { payments: [large], found: 1, searched: 40, more: false } };
  expect(words("largest")).toContain("1 found among your 40 payments");
  expect(words("largest")).not.toContain("Search older ones");
});

test("without the keys there is no order by amount: it says what to do", () => {
  reads = false;
  found = {};
  expect(words("largest")).toContain("Unlock them to search and sort.");
});
