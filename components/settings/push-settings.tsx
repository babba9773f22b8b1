"use client";

import { BellRing } from "lucide-react";
import { useState } from "react";
import { api } from "@/components/api/api";
import { canPush, deviceName, subscribe } from "@/components/api/notifications/push-browser";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ErrorCallout } from "@/components/ui/error-callout";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { DeviceResource, NotificationsResource } from "@/lib/events/notifications/settings-resource";
import { describeUserAgent } from "./describe-user-agent";
import { useNotifications } from "./use-notifications";

type Obstacle = "unsupported" | "denied";

const OBSTACLES: Record<Obstacle, { title: string; text: string }> = {
  unsupported: {
    title: "This browser can't show push notifications.",
    text: "Use another browser, or email. On an iPhone or iPad, add this site to the home screen first.",
  },
  denied: {
    title: "This browser doesn't allow notifications from this site.",
    text: "Allow them in the browser's settings for this site, then try again.",
  },
};

function Device({ device }: { device: DeviceResource }) {
  const { name } = describeUserAgent(device.user_agent);
  return (
    <span className="grid gap-0.5">
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{name}</span>
        {device.failure && <Badge tone="danger">Failing</Badge>}
      </span>
      <span className="wrap-anywhere text-muted text-xs">
        {device.failure ? `${device.service} refused the newest message with status ${device.failure}` : device.service}
      </span>
    </span>
  );
}

/** Lists the browsers that get push messages, and adds this one. */
export function PushSettings({ initial }: { initial: NotificationsResource }) {
  const { network, settings, reload } = useNotifications(initial);
  const { devices, push_key: key } = settings;
  const toast = useToast();
  const adding = useAsyncAction();
  const removing = useAsyncAction({ failed: "The device was not removed" });
  const [obstacle, setObstacle] = useState<Obstacle>();
  const add = (vapidKey: string) =>
    adding.run(async () => {
      setObstacle(undefined);
      if (!canPush()) return setObstacle("unsupported");
      const subscription = await subscribe(vapidKey).catch((error: unknown) => {
        // Subscribing fails in browsers without a push service.
        if (error instanceof DOMException) return "unsupported" as const;
        throw error;
      });
      if (subscription === "unsupported") return setObstacle("unsupported");
      if (subscription === null) return setObstacle("denied");
      await api(network).post("/api/notifications/devices", { ...subscription, user_agent: deviceName() });
      await reload();
      toast.success("Push notifications are on in this browser");
    });
  const remove = ({ device_id }: DeviceResource) =>
    removing.run(async () => {
      await api(network).delete(`/api/notifications/devices/${device_id}`);
      await reload();
      toast.success("Device removed");
    });
  const columns: Column<DeviceResource>[] = [
    { name: "Device", heading: true, cell: (device) => <Device device={device} /> },
    { name: "Since", cell: ({ created_at }) => <Time value={created_at} className="text-muted" /> },
    {
      name: "Action",
      align: "end",
      className: "max-sm:mt-2",
      cell: (device) => (
        <Button
          size="small"
          busy={removing.busy}
          onClick={() => remove(device)}
          aria-label={`Remove ${describeUserAgent(device.user_agent).name}`}
        >
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Card
      flush
      title="Push"
      description="Shown by your browser, even while this site is closed. Messages are encrypted for your browser."
      action={
        key && (
          <Button
            size="small"
            busy={adding.busy}
            icon={<BellRing size={14} aria-hidden="true" />}
            onClick={() => add(key)}
          >
            Turn on in this browser
          </Button>
        )
      }
    >
      <div aria-live="polite" className="px-4 pb-4 empty:hidden sm:px-5">
        {obstacle && (
          <Callout tone="warning" title={OBSTACLES[obstacle].title}>
            {OBSTACLES[obstacle].text}
          </Callout>
        )}
        {adding.error && <ErrorCallout isUnknown={adding.isUnknown}>{adding.error}</ErrorCallout>}
      </div>
      {devices.length > 0 ? (
        <Table label="Devices" columns={columns} rows={devices} rowKey={({ device_id }) => device_id} />
      ) : (
        <p className="border-line border-t px-4 py-4 text-muted text-sm sm:px-5">
          {key ? "No device yet." : "This installation sends no push notifications: it has no key for it."}
        </p>
      )}
    </Card>
  );
}
