import { Send } from "lucide-react";
import type { ReactNode } from "react";
import { FilterBar, type FilterTabs } from "@/components/lists/filter-bar";
import { NothingMatches } from "@/components/lists/nothing-matches";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import type { Choice } from "@/components/ui/field";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import { DeliveryList, type DeliveryListResponse } from "./delivery-list";
import { DELIVERY_STATUSES, type DeliveryFilters, deliveriesQuery, deliveryFilterFields } from "./filters";
import { STATUS_SHOWN } from "./wording";

const TABS: FilterTabs = {
  name: "status",
  label: "Status",
  every: "All",
  choices: DELIVERY_STATUSES.map((value) => ({ value, name: STATUS_SHOWN[value].name })),
};

/**
 * The delivery log of all webhooks or of one. Filters and pages are links and a form, so they work without JavaScript;
 * with it, the rows stay current.
 *
 * @param health why deliveries wait
 * @param webhooks the endpoints to choose from; left out for the log of one webhook
 * @param children what to show while nothing was ever delivered
 */
export function DeliveryLog({
  path,
  filters,
  offset,
  response,
  problem,
  health,
  webhooks,
  fixed,
  children,
}: {
  path: string;
  filters: DeliveryFilters;
  offset: number;
  response: DeliveryListResponse | undefined;
  problem?: string;
  health: readonly HealthResource[];
  webhooks?: readonly Choice[];
  /** Id of the webhook, for the log of one. */
  fixed?: string;
  children: ReactNode;
}) {
  const filtered = Object.keys(filters).length > 0 || offset > 0;
  const none = !response || response.deliveries.length === 0;
  const nothing = filtered ? (
    <NothingMatches one="delivery" many="deliveries" path={path} problem={problem} />
  ) : (
    <EmptyState icon={<Send size={18} />} title="Nothing delivered yet">
      {children}
    </EmptyState>
  );
  return (
    <Card flush title="Deliveries" description="Requests and responses, newest first. Kept for 90 days.">
      {(!none || filtered) && (
        <div className="border-line border-t">
          <FilterBar
            path={path}
            fields={deliveryFilterFields(webhooks)}
            filters={{ ...filters }}
            tabs={TABS}
            problem={problem}
          />
        </div>
      )}
      {problem !== undefined || !response ? (
        <div className="border-line border-t">{nothing}</div>
      ) : (
        <DeliveryList
          path={path}
          query={deliveriesQuery({ ...filters, webhook: fixed ?? filters.webhook }, offset)}
          linkQuery={{ ...filters }}
          initial={response}
          health={health}
          showUrl={webhooks !== undefined}
          empty={nothing}
        />
      )}
    </Card>
  );
}
