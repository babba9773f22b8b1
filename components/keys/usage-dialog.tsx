"use client";

import { messageOf } from "@/components/api/message-of";
import { useResource } from "@/components/api/use-resource";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import type { ListedKey } from "@/sdk/api/api-types";
import { UsageChart, type UsageDay } from "./usage-chart";

function Usage({ keyId }: { keyId: string }) {
  const { data, error } = useResource<{ days: UsageDay[] }>(`/api/keys/${keyId}/usage`, { query: { days: 30 } });
  if (error) return <Callout tone="danger">{messageOf(error)}</Callout>;
  return data ? <UsageChart days={data.days} /> : <Skeleton className="h-52 w-full" />;
}

/** How much a key was used, per day. */
export function UsageDialog({ charted, onClose }: { charted: ListedKey | undefined; onClose: () => void }) {
  return (
    <Dialog
      open={charted !== undefined}
      onClose={onClose}
      title={charted?.label ?? "Requests per day"}
      description="Requests per day (UTC), at most a minute late."
      width="large"
    >
      {charted && <Usage keyId={charted.key_id} />}
    </Dialog>
  );
}
