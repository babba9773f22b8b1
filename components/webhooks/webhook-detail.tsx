"use client";

import {
  CirclePause,
  CirclePlay,
  FlaskConical,
  KeyRound,
  MoreHorizontal,
  Pencil,
  RotateCcw,
  Trash2,
} from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { BackLink } from "@/components/ui/back-link";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { Menu } from "@/components/ui/menu";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { FailingCallout } from "./failing-callout";
import { webhooksPath } from "./paths";
import { RedeliverDialog } from "./redeliver-dialog";
import { RotateSecretDialog } from "./rotate-secret-dialog";
import { TestWebhookDialog } from "./test-webhook-dialog";
import { useWebhookCall } from "./use-webhook-call";
import { WebhookFacts } from "./webhook-facts";
import { WebhookForm } from "./webhook-form";
import { WebhookState } from "./webhook-state";
import { DISABLED_SAYS } from "./wording";

type Act = "test" | "edit" | "rotate" | "redeliver" | "disable" | "delete";

/** One webhook: its address, its recent deliveries, and its actions. */
export function WebhookDetail({
  initial,
  health,
  previousUntil,
  local,
}: {
  initial: WebhookResource;
  health: HealthResource | undefined;
  /** Until when the previous secret signs too; null if it no longer does. */
  previousUntil: string | null;
  local: boolean;
}) {
  const network = useNetwork();
  const router = useRouter();
  const toast = useToast();
  const call = useWebhookCall();
  const [act, setAct] = useState<Act>();
  const enabling = useAsyncAction({ failed: "The webhook stays disabled" });
  const path = `/v1/webhooks/${initial.webhook_id}`;
  // Stops polling after the webhook was deleted.
  const [deleted, setDeleted] = useState(false);
  const { data: webhook = initial } = useResource<WebhookResource>(`/v1/webhooks/${initial.webhook_id}`, {
    initial,
    enabled: !deleted,
    read: async (api) => {
      const { webhooks } = await api.get<{ webhooks: WebhookResource[] }>("/v1/webhooks");
      return webhooks.find(({ webhook_id }) => webhook_id === initial.webhook_id) ?? initial;
    },
  });
  const { enabled, disabled_reason, disabled_at } = webhook;
  const closed = () => setAct(undefined);

  const enable = () =>
    enabling.run(async () => {
      await call((api) => api.patch(path, { enabled: true }));
      toast.success(
        "Webhook enabled",
        "Events from now on are delivered. If you need the events that failed before, redeliver them.",
      );
    });
  const remove = async () => {
    setDeleted(true);
    try {
      await call((api) => api.delete(path));
    } catch (error) {
      setDeleted(false);
      throw error;
    }
    toast.success("Webhook deleted", "Nothing is delivered to it any more.");
    router.push(webhooksPath(network));
  };

  return (
    <>
      <PageHeader
        back={<BackLink href={webhooksPath(network)}>Webhooks</BackLink>}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span className="wrap-anywhere">{webhook.url.replace(/^https?:\/\//, "")}</span>
            <span className="font-normal tracking-normal" aria-live="polite">
              <WebhookState webhook={webhook} health={health} />
            </span>
          </span>
        }
        action={
          <>
            <Button
              data-early
              tone="primary"
              disabled={!enabled}
              icon={<FlaskConical size={15} aria-hidden="true" />}
              onClick={() => setAct("test")}
            >
              Send test event
            </Button>
            <Menu
              trigger={
                <button
                  type="button"
                  aria-label="Actions for this webhook"
                  className={buttonClass("secondary", "medium", "w-9 px-0! pointer-coarse:w-11")}
                >
                  <MoreHorizontal size={16} aria-hidden="true" />
                </button>
              }
              actions={[
                { label: "Edit", icon: <Pencil size={15} aria-hidden="true" />, onSelect: () => setAct("edit") },
                {
                  label: "Redeliver failed events",
                  icon: <RotateCcw size={15} aria-hidden="true" />,
                  disabled: !enabled,
                  onSelect: () => setAct("redeliver"),
                },
                {
                  label: "Rotate secret",
                  icon: <KeyRound size={15} aria-hidden="true" />,
                  onSelect: () => setAct("rotate"),
                },
                enabled
                  ? {
                      label: "Disable",
                      icon: <CirclePause size={15} aria-hidden="true" />,
                      onSelect: () => setAct("disable"),
                    }
                  : {
                      label: "Enable",
                      icon: <CirclePlay size={15} aria-hidden="true" />,
                      onSelect: () => void enable(),
                    },
                {
                  label: "Delete",
                  icon: <Trash2 size={15} aria-hidden="true" />,
                  danger: true,
                  onSelect: () => setAct("delete"),
                },
              ]}
            />
          </>
        }
      />
      <div className="grid grid-cols-1 gap-4">
        {!enabled && (
          <Callout
            tone="warning"
            title={
              <>
                Disabled{" "}
                {disabled_at && (
                  <>
                    since <Time value={disabled_at} />
                  </>
                )}
              </>
            }
            action={
              <Button size="small" busy={enabling.busy} onClick={() => void enable()}>
                Enable
              </Button>
            }
          >
            {disabled_reason && DISABLED_SAYS[disabled_reason]} What happens meanwhile is not delivered to it.
          </Callout>
        )}
        {enabled && health?.failing_since && <FailingCallout webhookId={webhook.webhook_id} health={health} />}
        <WebhookFacts webhook={webhook} health={health} previousUntil={previousUntil} />
      </div>
      <TestWebhookDialog
        webhookId={webhook.webhook_id}
        events={webhook.events}
        open={act === "test"}
        onClose={closed}
      />
      <EditWebhookDialog webhook={webhook} local={local} open={act === "edit"} onClose={closed} />
      <RedeliverDialog webhookId={webhook.webhook_id} open={act === "redeliver"} onClose={closed} />
      <RotateSecretDialog webhookId={webhook.webhook_id} open={act === "rotate"} onClose={closed} />
      <ConfirmDialog
        open={act === "disable"}
        onClose={closed}
        title="Disable this webhook?"
        keep="Keep enabled"
        confirm="Disable"
        tone="primary"
        onConfirm={async () => {
          await call((api) => api.patch(path, { enabled: false }));
          toast.success("Webhook disabled");
        }}
      >
        <p>
          Nothing is sent to it until you enable it. Events that happen in the meantime are not delivered later either.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={act === "delete"}
        onClose={closed}
        title="Delete this webhook?"
        keep="Keep webhook"
        confirm="Delete webhook"
        onConfirm={remove}
      >
        <p>
          Nothing is delivered to it after this, not even what is queued. Its secret and its log are deleted for good.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** Changes a webhook's address and events. */
function EditWebhookDialog({
  webhook,
  local,
  open,
  onClose,
}: {
  webhook: WebhookResource;
  local: boolean;
  open: boolean;
  onClose: () => void;
}) {
  const call = useWebhookCall();
  const toast = useToast();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Edit webhook"
      description="A new address also gets the deliveries that are still queued. The secret stays as it is."
    >
      <WebhookForm
        initial={webhook}
        local={local}
        verb="Save changes"
        onSubmit={async (settings) => {
          await call((api) => api.patch(`/v1/webhooks/${webhook.webhook_id}`, settings));
          toast.success("Webhook changed", "It takes effect with the next delivery.");
          onClose();
        }}
      />
    </Dialog>
  );
}
