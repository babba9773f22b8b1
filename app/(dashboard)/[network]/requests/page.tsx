import { ReceiptText } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { FilterBar, type FilterTabs } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import { type ListPageProps, offsetOf } from "@/components/lists/search-params";
import { RequestList } from "@/components/payments/requests/request-list";
import { REQUEST_STATUS } from "@/components/payments/requests/wording";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { toPaymentRequestList } from "@/lib/payments/requests/payment-request-resource";
import { ListPaymentRequestsQuery, REQUEST_STATES } from "@/lib/payments/requests/schema";

export const metadata: Metadata = { title: "Requests" };

const PAGE_SIZE = 20;
const TABS: FilterTabs = {
  name: "status",
  label: "Status",
  every: "All",
  choices: REQUEST_STATES.map((value) => ({ value, name: REQUEST_STATUS[value].name })),
};

const one = (value: string | string[] | undefined) => (typeof value === "string" && value !== "" ? value : undefined);

/** The account's payment requests. */
export default async function RequestsPage({ params, searchParams }: ListPageProps) {
  const { network } = await params;
  const ctx = await owner(network);
  const search = await searchParams;
  const offset = offsetOf(search);
  const asked = { status: one(search.status), reference: one(search.reference) };
  const filters = ListPaymentRequestsQuery.safeParse(asked).success ? asked : {};
  const query = { ...filters, limit: String(PAGE_SIZE), offset: String(offset) };
  const response = toPaymentRequestList(await listPaymentRequests(ctx, ListPaymentRequestsQuery.parse(query)));
  const path = `/${network}/requests`;
  const none = response.payment_requests.length === 0;
  const filtered = Object.values(filters).some((value) => value !== undefined) || offset > 0;
  const create = (
    <Link href={`${path}/new`} className={buttonClass("primary")}>
      New request
    </Link>
  );
  return (
    <>
      <PageHeader
        title="Requests"
        description="Links and invoices that ask for a payment. Their contents are encrypted for those who have the link."
        action={none && !filtered ? undefined : create}
      />
      <Card flush>
        {(!none || filtered) && (
          <div className="-mt-4">
            <FilterBar
              path={path}
              fields={[{ name: "reference", label: "Reference", input: { kind: "text", hint: "order-17" } }]}
              filters={filters}
              tabs={TABS}
            />
          </div>
        )}
        {none ? (
          <div className={filtered ? "border-line border-t" : "-mt-4"}>
            {filtered ? (
              <NothingMatches one="request" many="requests" path={path} />
            ) : (
              <EmptyState icon={<ReceiptText size={20} />} title="No requests yet" action={create}>
                Create a link or an invoice and send it to the payer. It counts as paid once this dashboard or your
                server has decrypted the payment and found that it covers the amount.
              </EmptyState>
            )}
          </div>
        ) : (
          <RequestList path={path} query={query} linkQuery={filters} initial={response} />
        )}
      </Card>
    </>
  );
}
