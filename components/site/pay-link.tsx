"use client";

import { BadgeCheck, Hourglass } from "lucide-react";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Callout } from "@/components/ui/callout";
import { classNames } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/copy-button";
import { Fact } from "@/components/ui/fact";
import { FullAddress } from "@/components/ui/full-address";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { OpenedRequest, PublicRequest } from "@/sdk/payments/requests/open-request";
import type { RequestDetails } from "@/sdk/payments/requests/verify-request";
import { takeLinkKey } from "../api/browser/link-key";
import { InvoiceLines, RequestFacts } from "../payments/requests/details";
import type { DecryptedLink } from "../payments/requests/open-link";
import type { Visitor } from "../payments/requests/visitor";
import { PayPanel } from "./pay-panel";

type Shown = DecryptedLink | { outcome: "no-key" } | { outcome: "checking" };

/**
 * A request: at first what the service says of it, which the server renders, so that a slow phone shows it long before
 * the scripts that check it. What the payee has signed, such as the amount, is in it once the chain confirms that.
 */
function RequestCard({
  request,
  details,
  host,
}: {
  request: Pick<OpenedRequest, "asset" | "payee" | "payee_handle" | "expires_at" | "network">;
  /** Left out until the chain confirms who signed them. */
  details?: RequestDetails;
  host: string;
}) {
  const { asset, payee, payee_handle, expires_at, network } = request;
  return (
    <section
      aria-label="Payment request"
      className="overflow-hidden rounded-2xl border border-line bg-raised shadow-raised"
    >
      {details ? (
        <p className="flex items-center gap-2 border-line border-b bg-success-soft px-5 py-3.5 font-medium text-sm text-success sm:px-6">
          <BadgeCheck size={17} aria-hidden="true" className="shrink-0" />
          <span className="text-balance">Signed by the payee's key, as the chain has it</span>
        </p>
      ) : (
        <p
          role="status"
          aria-label="Checking with the chain"
          className="flex items-center gap-2 border-line border-b bg-sunken px-5 py-3.5 font-medium text-muted text-sm sm:px-6"
        >
          <Hourglass size={17} aria-hidden="true" className="shrink-0" />
          <span className="text-balance">Checking the payee's signature with the chain…</span>
        </p>
      )}
      <div className="px-5 pt-6 pb-3 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="wrap-anywhere font-semibold text-4xl tracking-tight">
            {details ? (
              <Amount value={details.amount} asset={asset} className="whitespace-normal!" />
            ) : (
              <Skeleton className="h-10 w-56" />
            )}
          </p>
          {network === "test" ? <Badge>Test network</Badge> : <Badge tone="live">Live network</Badge>}
        </div>
        <div className="mt-5">{details && <InvoiceLines details={details} asset={asset} />}</div>
        <dl className="divide-y divide-line border-line border-t">
          <Fact name="To">
            <span className="wrap-anywhere block font-medium">{payee_handle}</span>
            <span className="flex items-start gap-1">
              <FullAddress value={payee} className="text-muted" />
              <CopyButton value={payee} label="payee's address" />
            </span>
          </Fact>
          {details && <RequestFacts details={details} />}
          <Fact name="Pay until">
            <Time value={expires_at} deadline />
          </Fact>
        </dl>
      </div>
      <p className="border-line border-t px-5 py-4 text-pretty text-muted text-xs sm:px-6">
        The chain knows the address; the name {payee_handle} is what this service has for it.{" "}
        {details
          ? `Checked in this browser against the chain at ${host}.`
          : `No amount is shown before this browser has checked it against the chain at ${host}.`}
      </p>
    </section>
  );
}

/** Opens the link in the page's address, shows the request, and lets a signed-in visitor pay it. */
export function PayLink({
  request,
  networks,
  visitor,
}: {
  request: PublicRequest;
  networks: readonly CheckableNetwork[];
  visitor: Visitor;
}) {
  const [shown, setShown] = useState<Shown>({ outcome: "checking" });
  const router = useRouter();
  // After a payment the tab's storage no longer has the key, but this page keeps showing the request.
  const taken = useRef<string | null>(null);
  const { payment_request_id: id } = request;
  const open = useCallback(
    async (isAgain: boolean) => {
      const key = takeLinkKey(id) ?? taken.current;
      taken.current = key;
      if (key === null) return setShown({ outcome: "no-key" });
      // A verified request stays on screen while the page refreshes, since someone may be paying it.
      setShown((now) => (isAgain && now.outcome === "verified" ? now : { outcome: "checking" }));
      const failed = { outcome: "unreachable", reason: "The check did not load. Reload the page." } as const;
      const { openLink } = await import("../payments/requests/open-link");
      const found = await openLink(request, key, networks).catch(() => failed);
      const isUnknown = found.outcome === "unreachable";
      setShown((now) => (isAgain && isUnknown && now.outcome === "verified" ? now : found));
    },
    [id, request, networks],
  );
  useEffect(() => {
    void open(true);
    const read = () => {
      void open(false);
      router.refresh();
    };
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, [open, router]);

  const host = new URL(networks.find(({ network }) => network === request.network)?.rpcUrl ?? "http://chain").host;
  // As high as a request and what pays it, so that what is below stays where it is.
  const isLong = shown.outcome === "checking" || shown.outcome === "verified";
  return (
    <div aria-live="polite" className={classNames("grid content-start gap-6", isLong && "min-h-[80dvh]")}>
      {shown.outcome === "checking" && <RequestCard request={request} host={host} />}
      {shown.outcome === "verified" && (
        <>
          <RequestCard request={shown.request} details={shown.request.details} host={host} />
          <PayPanel request={shown.request} visitor={visitor} />
        </>
      )}
      {shown.outcome === "no-key" && (
        <Callout tone="warning" title="The link is not complete.">
          The part after # is missing. It is the key that decrypts the request. Open the whole link, as the payee sent
          it.
        </Callout>
      )}
      {shown.outcome === "wrong-link" && (
        <Callout tone="warning" title="The link can't decrypt this request.">
          {shown.reason}
        </Callout>
      )}
      {shown.outcome === "forged" && (
        <Callout tone="danger" title="Don't pay this.">
          {shown.reason}
        </Callout>
      )}
      {shown.outcome === "unreachable" && (
        <RetryCallout tone="warning" title="It could not be checked." onRetry={() => void open(false)}>
          {shown.reason} No amount is shown before the chain has confirmed who signed it.
        </RetryCallout>
      )}
    </div>
  );
}
