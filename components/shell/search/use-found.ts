"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowLeftRight, Hash, LockKeyhole, ReceiptText, Send, UserRound } from "lucide-react";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { readersComma, settledAmount, typedAmount } from "@/components/money/typed-amount";
import { keepTyped } from "@/components/money/typed-elsewhere";
import { useDebouncedValue } from "@/components/money/use-debounced-value";
import { counterparty, signOf } from "@/components/payments/transfers/wording";
import { written } from "@/components/ui/amount";
import { localeOfReader } from "@/components/ui/time";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { FoundResource } from "@/lib/payments/search/found-resource";
import type { Item, ItemGroup } from "./item";
import { noPaymentFound } from "./no-payment-found";
import { payHref } from "./pay-href";
import { idIn, personIn, referenceIn } from "./text-for-service";
import { paymentIn } from "./typed-payment";

const NAMES: Record<FoundResource["type"], string> = {
  transfer: "Transfer",
  held_payment: "Payment for approval",
  agent: "Agent",
  api_key: "API key",
  webhook: "Webhook",
  delivery: "Delivery",
  event: "Event",
  payment_request: "Payment request",
  payout: "Payout",
  schedule: "Schedule",
  schedule_run: "Scheduled payment",
};

/** How many payments to show. The list of transfers has the rest. */
const MOST = 6;
const TYPING_MS = 200;

/** Looks up a complete id, or a reference that the person chose to look up, at the service. */
function useLookedUp(query: { id?: string; reference?: string }) {
  const network = useNetwork();
  const { data, isFetching, isError } = useQuery({
    queryKey: [network, "/api/search", query],
    queryFn: () => api(network).get<{ results: FoundResource[] }>("/api/search", query),
    enabled: query.id !== undefined || query.reference !== undefined,
    retry: false,
  });
  return { results: data?.results, isFetching, isError };
}

/**
 * Finds what a text names, besides names and actions: ids and references at the service, payments in this browser.
 *
 * @param named whether the text is the name of someone already found
 */
export function useFound(
  text: string,
  go: (href: string) => void,
  named: boolean,
): { groups: ItemGroup[]; status?: string } {
  const network = useNetwork();
  const vault = useVault();
  const base = `/${network}`;
  const [asked, setAsked] = useState<string>();
  const [id, who, reference] = [idIn(text), personIn(text), referenceIn(text)];
  const isAsked = reference !== undefined && reference === asked;
  const looked = useLookedUp(isAsked ? { reference } : { id });
  const later = useDebouncedValue(text.trim(), TYPING_MS);
  const wanted = later.length > 1 && id === undefined;
  const payments = useDecrypted("findPayments", { text: later }, { enabled: wanted });

  const groups: ItemGroup[] = [];
  const add = (value: string, items: Item[]) => items.length > 0 && groups.push({ value, items });
  add(
    isAsked ? `Reference ${reference}` : "Found",
    (looked.results ?? []).map((found) => {
      const { label, detail, href } = resultPlace(base, found);
      return { id: `found ${found.id}`, label, detail, icon: Hash, choose: () => go(href) };
    }),
  );
  const opened = wanted && later === text.trim() ? (payments.data?.payments ?? []) : [];
  add(
    "Payments",
    opened.slice(0, MOST).map(({ transfer, amount, memo }) => {
      const { transfer_id: id, asset, direction, created_at } = transfer;
      const sum = amount === null ? "Payment" : `${signOf(transfer) ?? ""}${written(amount)} ${asset}`;
      const label = `${sum} ${direction === "sent" ? "to" : "from"} ${counterparty(transfer)}`;
      const day = new Date(created_at).toLocaleDateString(localeOfReader(), { dateStyle: "medium" });
      const detail = memo ? `${memo} · ${day}` : day;
      return { id, label, detail, icon: ArrowLeftRight, choose: () => go(`${base}/transfers/${id}`) };
    }),
  );
  const lookUp: Item[] = [];
  const payment = paymentIn(text);
  if (payment) {
    const { to, asset } = payment;
    const amount = settledAmount(typedAmount(payment.amount, "", null, readersComma()));
    const pay = () => {
      // In this order: going to a page forgets what was typed before.
      go(payHref(base, to, asset));
      keepTyped(to, amount);
    };
    const label = `Pay ${to} ${written(payment.amount)} ${asset ?? "USDG"}`;
    lookUp.push({ id: "pay typed", label, detail: "You review it first", icon: Send, choose: pay });
  }
  if (who !== undefined && !named) {
    const href = `${base}/transfers?counterparty=${encodeURIComponent(who)}`;
    lookUp.push({ id: "pay", label: `Pay ${who}`, icon: Send, choose: () => go(payHref(base, who)) });
    lookUp.push({ id: "with", label: `Transfers with ${who}`, icon: UserRound, choose: () => go(href) });
  }
  if (reference !== undefined && !isAsked) {
    const label = `Look up the reference ${reference}`;
    const detail = "Sent to Halcyon";
    lookUp.push({ id: "reference", label, detail, icon: ReceiptText, stays: true, choose: () => setAsked(reference) });
  }
  if (vault.status === "locked" && text.trim().length > 1 && id === undefined) {
    const label = "Unlock to search memos and amounts";
    lookUp.push({ id: "unlock", label, icon: LockKeyhole, choose: () => void vault.unlock().catch(() => {}) });
  }
  add("More", lookUp);
  return { groups, status: statusOf() };

  function statusOf(): string | undefined {
    if (looked.isFetching) return "Looking it up";
    if (looked.isError) return "The service could not look it up. Try again.";
    if (looked.results?.length === 0)
      return isAsked ? "Nothing has this reference." : "Nothing in your account has this ID.";
    if (wanted && payments.isFetching) return "Decrypting your newest payments on this device";
    return wanted && later === text.trim() ? noPaymentFound(payments.data) : undefined;
  }
}

/** Returns the name of a search result and the page that shows it. */
function resultPlace(
  base: string,
  { type, id, name, status, part_of }: FoundResource,
): Record<"label" | "detail" | "href", string> {
  const label = name === null ? NAMES[type] : `${NAMES[type]} ${type === "transfer" ? "with " : ""}${name}`;
  const state = status === null ? "" : ` · ${status.replaceAll("_", " ")}`;
  return { label, detail: `${id.slice(0, 8)}…${id.slice(-4)}${state}`, href: `${base}${pathOf(type, id, part_of)}` };
}

function pathOf(type: FoundResource["type"], id: string, partOf: string | null): string {
  switch (type) {
    case "transfer":
      return `/transfers/${id}`;
    case "held_payment":
      return `/approvals?open=${id}`;
    case "agent":
      return `/agents/${id}`;
    case "api_key":
      return "/developers/keys";
    case "webhook":
      return `/developers/webhooks/${id}`;
    case "delivery":
      return `/developers/webhooks/deliveries/${id}`;
    case "event":
      return `/developers/events/${id}`;
    case "payment_request":
      return `/requests/${id}`;
    case "payout":
      return `/payouts/${id}`;
    case "schedule":
      return `/schedules/${id}`;
    case "schedule_run":
      return `/schedules/${partOf}`;
  }
}
