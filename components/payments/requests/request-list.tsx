"use client";

import { type ListProps, useList } from "@/components/lists/use-list";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Pagination } from "@/components/ui/pagination";
import { Time } from "@/components/ui/time";
import type { toPaymentRequestList } from "@/lib/payments/requests/payment-request-resource";
import { RequestAmount } from "./request-amount";
import { useAutomaticCheck } from "./use-automatic-check";
import { REQUEST_STATUS } from "./wording";

type RequestListResponse = ReturnType<typeof toPaymentRequestList>;

/** A page of payment requests. Payments are checked automatically while the account is unlocked. */
export function RequestList({ path, linkQuery, ...page }: ListProps<RequestListResponse>) {
  const { payment_requests, limit, offset, has_more } = useList("/v1/payment-requests", page, (list) =>
    list.payment_requests.some(({ status }) => status === "processing"),
  );
  useAutomaticCheck(payment_requests);
  return (
    <>
      <ul aria-label="Payment requests" className="divide-y divide-line border-line border-t text-sm">
        {payment_requests.map((request) => (
          <li
            key={request.payment_request_id}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3.5 hover:bg-sunken/50 sm:grid-cols-[minmax(0,1fr)_7rem_10.5rem_10rem] sm:px-5"
          >
            <span className="min-w-0">
              <Link
                href={`${path}/${request.payment_request_id}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
              >
                {request.reference ?? "Without reference"}
              </Link>
              <span className="block truncate text-muted text-xs">
                {request.payments.length === 0
                  ? "No payment yet"
                  : request.payments.length === 1
                    ? `1 payment, from ${request.payments[0]?.from}`
                    : `${request.payments.length} payments`}
              </span>
            </span>
            <span className="max-sm:col-start-2 max-sm:row-start-2 max-sm:justify-self-end">
              <Badge tone={REQUEST_STATUS[request.status].tone}>{REQUEST_STATUS[request.status].name}</Badge>
            </span>
            <span className="text-muted max-sm:col-start-1 max-sm:row-start-2 max-sm:text-xs">
              <Time value={request.created_at} />
            </span>
            <span className="text-right font-medium max-sm:col-start-2 max-sm:row-start-1">
              <RequestAmount request={request} />
            </span>
          </li>
        ))}
      </ul>
      <Pagination
        path={path}
        query={linkQuery}
        limit={limit}
        offset={offset}
        hasMore={has_more}
        count={payment_requests.length}
      />
    </>
  );
}
