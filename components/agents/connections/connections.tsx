"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type Column, Table } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import type { ConnectionResource } from "@/lib/http/connections/connection-resource";

/** Returns whether a connection still works. Only for display: the server's clock decides. */
const isLive = ({ revoked_at, expires_at }: ConnectionResource) =>
  revoked_at === null && new Date(expires_at).getTime() > Date.now();

/** Lists applications that currently act for an agent, and disconnects them. Renders nothing if there are none. */
export function Connections({ initial }: { initial: { connections: ConnectionResource[] } }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useResource("/api/connections", { initial });
  const [ending, setEnding] = useState<ConnectionResource>();
  const live = (data?.connections ?? []).filter(isLive);
  if (live.length === 0) return null;
  const disconnect = async () => {
    if (!ending) return;
    await api(network).delete(`/api/connections/${ending.connection_id}`);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/connections") });
    toast.success("Application disconnected", `${ending.application} can't do anything any more.`);
  };
  const columns: Column<ConnectionResource>[] = [
    {
      name: "Application",
      heading: true,
      cell: ({ application, redirect_host, scopes }) => (
        <span className="block min-w-0">
          <span className="wrap-anywhere block font-medium">{application}</span>
          <span className="wrap-anywhere block text-muted text-xs">
            {redirect_host} · {scopes.join(", ")}
          </span>
        </span>
      ),
    },
    { name: "Acts for", cell: ({ agent }) => <span className="wrap-anywhere">{agent}</span> },
    {
      name: "Last used",
      cell: ({ last_used_at }) =>
        last_used_at ? <Time value={last_used_at} /> : <span className="text-faint">Never</span>,
    },
    {
      name: "Ends",
      cell: ({ expires_at }) => (
        <span className="text-muted">
          <Time value={expires_at} />
        </span>
      ),
    },
    {
      name: "Action",
      align: "end",
      className: "max-sm:mt-2",
      cell: (connection) => (
        <Button
          data-early
          size="small"
          onClick={() => setEnding(connection)}
          aria-label={`Disconnect ${connection.application}`}
        >
          Disconnect
        </Button>
      ),
    },
  ];
  return (
    <Card
      flush
      className="mt-6"
      title="Connected applications"
      description="Each acts for one agent, within its policy, until its time ends or you disconnect it."
    >
      <Table
        label="Connected applications"
        columns={columns}
        rows={live}
        rowKey={({ connection_id }) => connection_id}
      />
      <ConfirmDialog
        open={ending !== undefined}
        onClose={() => setEnding(undefined)}
        title={`Disconnect ${ending?.application ?? "it"}?`}
        keep="Stay connected"
        confirm="Disconnect"
        onConfirm={disconnect}
      >
        <p>
          It is refused from its next request on, everywhere. Payments already made stay as they are. You can connect it
          again at any time.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
