import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { Countdown } from "./countdown";
import { DecidedView } from "./decided-view";
import type { HeldDetails } from "./held-payment";

const HELD = {
  transaction_id: "tx_1",
  agent: "@alice/bot",
  to: "@bob",
  asset: "USDG",
  requested_at: "2026-11-28T10:00:00Z",
  expires_at: "2026-11-29T10:00:00Z",
  decided_at: "2026-11-28T10:05:00Z",
  transfer_id: "tr_1",
} as unknown as HeldDetails;
const bySession = (id: string) => ({ type: "session", id }) as HeldDetails["decided_by"];

function shown(change: Partial<HeldDetails>, tried?: "approved" | "rejected"): string {
  const held = { ...HELD, ...change } as Parameters<typeof DecidedView>[0]["held"];
  return renderToStaticMarkup(
    <NetworkProvider network="test">
      <DecidedView held={held} sessionId="ses_own" tried={tried} />
    </NetworkProvider>,
  );
}
const textOf = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test("of two browsers that approve at once, each says who decided and names the same transfer", () => {
  const own = shown({ status: "approved", decided_by: bySession("ses_own") });
  const other = shown({ status: "approved", decided_by: bySession("ses_other") }, "approved");
  expect(textOf(own)).toContain("Approved by you, in this session");
  expect(textOf(own)).not.toContain("already decided");
  expect(textOf(other)).toContain("This payment was already decided.");
  expect(textOf(other)).toContain("no money moved because of it");
  expect(textOf(other)).toContain("Approved by you, in another session");
  for (const markup of [own, other]) expect(markup).toMatch(/href="\/test\/transfers\/tr_1"[^>]*>View transfer/);
});

test("an own decision whose response was lost is said to have taken effect; another than that changed nothing", () => {
  const approved = { status: "approved", decided_by: bySession("ses_own") } as const;
  expect(textOf(shown(approved, "approved"))).toContain("The response was lost, but the payment was made.");
  expect(textOf(shown(approved, "rejected"))).toContain("This payment was already decided.");
});

test("what no one decided in time is expired, moved no money, and names no transfer", () => {
  const text = textOf(shown({ status: "expired", decided_by: null, decided_at: null, transfer_id: undefined }));
  expect(text).toContain("Expired no one decided in time");
  expect(text).toContain("No money moved.");
  expect(text).not.toContain("View transfer");
  const late = textOf(shown({ status: "expired", decided_by: null, transfer_id: undefined }, "approved"));
  expect(late).toContain("It expired before your decision.");
});

test("a decision by a key is said to be the key's", () => {
  const key = { type: "key", id: "key_1", label: "Server" } as HeldDetails["decided_by"];
  expect(textOf(shown({ status: "rejected", decided_by: key }))).toContain("Rejected by API key Server");
});

test("the time to decide counts down to its end, which the service decides", () => {
  const at = (left: number) =>
    textOf(renderToStaticMarkup(<Countdown until={HELD.expires_at} now={Date.parse(HELD.expires_at) - left} />));
  expect(at(86_399_999)).toContain("23 h 59 min left");
  expect(at(90_000)).toContain("1:30 left");
  expect(at(0)).toContain("time is up");
});
