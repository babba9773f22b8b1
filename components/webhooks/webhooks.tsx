"use client";

import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState, useTransition } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { subscriptionOf } from "@/components/webhooks/events/wording";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { ListenHint } from "./listen-hint";
import { webhooksPath } from "./paths";
import { SecretOnce } from "./secret-once";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookForm } from "./webhook-form";
import { FailingRate, LastDelivery, NewestOf, WebhookState } from "./webhook-state";
import { inOrderOfNeed, reasonOfFailing } from "./wording";

function withAct(search: string, act: string | null): string {
  const parameters = new URLSearchParams(search);
  if (act) parameters.set("do", act);
  else parameters.delete("do");
  return parameters.size > 0 ? `?${parameters}` : "";
}

/** Opens the dialog; in a new tab, opens the page with the dialog. */
function AddLink() {
  const pathname = usePathname();
  const href = `${pathname}${withAct(useSearchParams().toString(), "create")}`;
  return (
    <Link href={href} scroll={false} className={buttonClass("primary", "small")}>
      <Plus size={15} aria-hidden="true" />
      Add webhook
    </Link>
  );
}

function NoWebhooks() {
  return (
    <div className="-mt-4">
      <EmptyState icon={<WebhookIcon size={18} />} title="No webhooks yet" action={<AddLink />}>
        Add the address of your server to get notified when a payment settles or an agent needs you.
      </EmptyState>
      <ListenHint />
    </div>
  );
}

/** The webhooks of the account, and the dialog that adds one. */
export function Webhooks({
  initial,
  health,
  local,
}: {
  initial: { webhooks: WebhookResource[] };
  health: HealthResource[];
  local: boolean;
}) {
  const router = useRouter();
  const [closing, startClosing] = useTransition();
  const pathname = usePathname();
  const search = useSearchParams();
  const { data = initial } = useResource("/v1/webhooks", { initial });
  const healthOf = ({ webhook_id }: WebhookResource) => health.find((each) => each.webhook_id === webhook_id);
  const columns: Column<WebhookResource>[] = [
    {
      name: "Endpoint",
      heading: true,
      className: "sm:w-full sm:max-w-0",
      cell: (webhook) => (
        <span className="block min-w-0">
          <Link
            href={`${pathname}/${webhook.webhook_id}`}
            className="block truncate font-mono text-[13px] after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {webhook.url}
          </Link>
          <span className="block truncate text-muted text-xs">{subscriptionOf(webhook.events)}</span>
        </span>
      ),
    },
    {
      name: "State",
      cell: (webhook) => {
        const health = healthOf(webhook);
        return (
          <span className="grid gap-1 max-sm:justify-items-end sm:justify-items-start">
            <WebhookState webhook={webhook} health={health} />
            {webhook.enabled && health?.failing_since && (
              <span className="text-muted text-xs max-sm:text-right lg:whitespace-nowrap">
                {reasonOfFailing(health)}
              </span>
            )}
          </span>
        );
      },
    },
    { name: "Last delivery", cell: (webhook) => <LastDelivery health={healthOf(webhook)} /> },
    { name: "Newest", cell: (webhook) => <NewestOf health={healthOf(webhook)} /> },
    { name: "Failed", align: "end", cell: (webhook) => <FailingRate health={healthOf(webhook)} /> },
  ];
  const close = () => {
    if (search.get("do") === "create") {
      startClosing(() => router.replace(`${pathname}${withAct(search.toString(), null)}`, { scroll: false }));
    }
  };
  const none = data.webhooks.length === 0;
  const inOrder = inOrderOfNeed(data.webhooks.map((webhook) => ({ webhook, health: healthOf(webhook) })));
  return (
    <Card flush title={none ? undefined : "Endpoints"} action={<AddLink />}>
      {none ? (
        <NoWebhooks />
      ) : (
        <Table
          label="Webhooks"
          columns={columns}
          rows={inOrder.map(({ webhook }) => webhook)}
          rowKey={({ webhook_id }) => webhook_id}
        />
      )}
      <CreateWebhookDialog open={!closing && search.get("do") === "create"} local={local} onClose={close} />
    </Card>
  );
}

/** Creates a webhook and shows its secret once. Can't be closed by accident before the secret is copied. */
function CreateWebhookDialog({ open, local, onClose }: { open: boolean; local: boolean; onClose: () => void }) {
  const call = useWebhookCall();
  const network = useNetwork();
  const [secret, setSecret] = useState<string>();
  const close = () => {
    setSecret(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open || secret !== undefined}
      onClose={close}
      dismissible={secret === undefined}
      title={secret ? "Copy the signing secret" : "Add webhook"}
      description={secret ? undefined : "Your server gets each event you choose, as it happens."}
    >
      {secret ? (
        <SecretOnce secret={secret} onClose={close} />
      ) : (
        <WebhookForm
          initial={{ url: "", events: [...EVENT_TYPES], store_responses: network === "test" }}
          local={local}
          verb="Add webhook"
          list={webhooksPath(network)}
          onSubmit={async (settings) => {
            const created = await call((api) => api.post<{ secret: string }>("/v1/webhooks", settings));
            setSecret(created.secret);
          }}
        />
      )}
    </Dialog>
  );
}
