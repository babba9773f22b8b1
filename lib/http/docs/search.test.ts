import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { searchDocs } from "./search";
import { searchIndex } from "./search-index";
import { SEARCH_OPTIONS, type SearchEntry } from "./search-options";

const json = await searchIndex();
const index = MiniSearch.loadJSON<SearchEntry>(json, SEARCH_OPTIONS);
const found = (query: string) => searchDocs(index, query).map(({ href }) => href);

/** What people ask, and the results that satisfy them: any of these. A page includes all of its sections. */
const ASKED: Record<string, string[]> = {
  "verify webhook signature": ["/docs/verify-webhook-signatures"],
  "idempotency key": ["/docs/idempotency", "/docs/api/idempotency"],
  "create api key": ["/docs/quick-start#create-an-api-key", "/docs/api/authentication"],
  "rate limit": ["/docs/api/rate-limits"],
  "install sdk": ["/docs/sdk"],
  "decryption proof": ["/docs/balances#read-a-balance", "/docs/api/accounts", "/docs/errors/decryption_proof_invalid"],
  "402": ["/docs/errors/insufficient_balance"],
  "rotate api key": ["/docs/keys-and-rotation#rotate-an-api-key"],
  "webhook retries": ["/docs/webhook-delivery"],
  "spending limit": ["/docs/policies"],
  "how do I send a payment": ["/docs/send-payments"],
  withdraw: ["/docs/deposits-and-withdrawals"],
  authentication: ["/docs/api/authentication"],
  pagination: ["/docs/api/pagination"],
  "testnet faucet": ["/docs/deposits-and-withdrawals#get-test-money", "/docs/quick-start#get-test-money"],
  "insufficient funds": ["/docs/errors/insufficient_balance"],
  refund: ["/docs/send-payments#refund-a-payment"],
  "environment variables": ["/docs/configuration"],
  "local testing webhooks": ["/docs/test-webhooks"],
  "security model": ["/docs/security-model"],
  cli: ["/docs/cli"],
  python: ["/docs/python"],
  timeout: ["/docs/sdk", "/docs/idempotency"],
  postman: ["/docs/openapi"],
  "test card": ["/docs/deposits-and-withdrawals#get-test-money"],
  metamask: ["/docs/core-concepts#wallets"],
  "top up": ["/docs/balances#make-money-available"],
  claude: ["/docs/mcp"],
  "cancel transfer": ["/docs/send-payments#cancel-a-payment"],
  changelog: ["/docs/changelog"],
  glossary: ["/docs/glossary"],
  "accept payments": ["/docs/receive"],
  receipts: ["/docs/receipts"],
  "lost wallet": ["/docs/recovery"],
  DATABASE_URL: ["/docs/configuration"],
  policy_violation: ["/docs/errors/policy_violation"],
  flask: ["/docs/verify-webhook-signatures#flask"],
  express: ["/docs/verify-webhook-signatures#express", "/docs/pay-over-http#express"],
  axios: ["/docs/sdk", "/docs/quick-start"],
  java: ["/docs/openapi"],
};

test.each(Object.entries(ASKED))("search finds the page about %s in its first three results", (query, pages) => {
  const first = found(query).slice(0, 3);
  const isMeant = (href: string) => pages.some((page) => href === page || href.startsWith(`${page}#`));
  expect(first.some(isMeant), `${query}: ${first.join(" ")}`).toBe(true);
});

test("search finds operations by their fields, and guides by a word spelled wrongly", () => {
  expect(found("hitl_threshold_usdg")).toContain("/docs/api/agents#update-spend-policy");
  expect(found("avalable")).toContain("/docs/balances#make-money-available");
  expect(found("transfer.confirmed")).toContain("/docs/api/event-types#transfer.confirmed");
  expect(found("zzzz")).toEqual([]);
});

test("words that nothing has don't hide what the others find, and filler words are no condition", () => {
  expect(found("webhooks zzzz").length).toBeGreaterThan(3);
  expect(found("how do I get the pagination to work")[0]).toBe("/docs/api/pagination");
  expect(found("what is")).not.toEqual([]);
  expect(found("  ")).toEqual([]);
});

test("a result names the words to highlight in it", () => {
  const [first] = searchDocs(index, "paginate");
  expect(first?.href).toBe("/docs/api/pagination");
  expect(first?.terms).toContain("pagination");
});

test("the index stays small enough to load when search is opened", async () => {
  const { gzipSync } = await import("node:zlib");
  expect(gzipSync(json).length).toBeLessThan(300_000);
});
