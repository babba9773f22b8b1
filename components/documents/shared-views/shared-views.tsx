"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { ListedSharedView } from "@/sdk/statements/shared-views/shared-view-input";

/** Lists the views that are currently shared. */
export function SharedViews({ initial }: { initial: { shared_views: ListedSharedView[] } }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useResource("/api/shared-views", { initial });
  const [deleting, setDeleting] = useState<ListedSharedView>();
  const views = data?.shared_views ?? [];
  if (views.length === 0) return null;
  const remove = async () => {
    if (!deleting) return;
    await api(network).delete(`/api/shared-views/${deleting.shared_view_id}`);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/shared-views") });
    toast.success("View deleted", "Its link no longer works.");
  };
  const columns: Column<ListedSharedView>[] = [
    { name: "Name", heading: true, cell: ({ label }) => <span className="wrap-anywhere font-medium">{label}</span> },
    { name: "Shared", cell: ({ created_at }) => <Time value={created_at} className="text-muted" /> },
    {
      name: "Decrypted",
      cell: ({ opened_at }) => (opened_at ? <Time value={opened_at} className="text-muted" /> : <Badge>Not yet</Badge>),
    },
    { name: "Ends", cell: ({ expires_at }) => <Time value={expires_at} deadline className="text-muted" /> },
    {
      name: "Action",
      align: "end",
      cell: (view) => (
        <Button data-early size="small" onClick={() => setDeleting(view)} aria-label={`Delete ${view.label}`}>
          Delete
        </Button>
      ),
    },
  ];
  return (
    <Card
      flush
      title="Shared views"
      description="Links you gave to others. Halcyon keeps them encrypted, without the key, and deletes them when they end."
    >
      <Table label="Shared views" columns={columns} rows={views} rowKey={({ shared_view_id }) => shared_view_id} />
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${deleting?.label ?? "view"}?`}
        keep="Keep view"
        confirm="Delete view"
        onConfirm={remove}
      >
        <p>
          {deleting?.opened_at
            ? "Its link will stop working. It has been opened before, so someone may have kept what it showed."
            : "Its link will stop working. It has not been opened yet."}
        </p>
      </ConfirmDialog>
    </Card>
  );
}
