"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { type Column, Table } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import { ledgerKey } from "@/sdk/context/pins";
import { BrowserPins } from "@/sdk/context/platform/browser-pins";

interface PinnedHandle {
  handle: string;
  address: string;
}

/** Lists the address of each handle at its first payment from this browser, and lets the person forget it. */
export function PinnedHandles({
  description,
}: {
  description: { chain_id: number; ledger: string; domain_salt: string };
}) {
  const network = useNetwork();
  const toast = useToast();
  const [pins] = useState(() => new BrowserPins());
  const [asked, setAsked] = useState<PinnedHandle>();
  const [open, setOpen] = useState(false);
  const ledger = ledgerKey({
    chainId: description.chain_id,
    ledger: description.ledger,
    domainSalt: description.domain_salt,
  });
  const pinned = useQuery({ queryKey: [network, "pinned-handles"], queryFn: () => pins.handles(ledger) });
  const ask = (row: PinnedHandle) => {
    setAsked(row);
    setOpen(true);
  };
  const forget = async () => {
    if (!asked) return;
    await pins.forgetHandle(ledger, asked.handle);
    await pinned.refetch();
    toast.success(`${asked.handle} is forgotten`, "Its address is remembered again at the next payment.");
  };
  const columns: Column<PinnedHandle>[] = [
    {
      name: "Handle",
      heading: true,
      cell: ({ handle }) => <span className="wrap-anywhere font-medium">{handle}</span>,
    },
    { name: "Address", cell: ({ address }) => <Address value={address} /> },
    {
      name: "Action",
      align: "end",
      className: "max-sm:mt-2",
      cell: (row) => (
        <Button data-early size="small" onClick={() => ask(row)} aria-label={`Forget ${row.handle}`}>
          Forget
        </Button>
      ),
    },
  ];
  const rows = pinned.data ?? [];
  return (
    <Card
      flush
      title="Remembered handles"
      description="The address each handle had when this browser first paid it. If the service ever names another one, nothing is paid."
    >
      {rows.length > 0 ? (
        <Table label="Remembered handles" columns={columns} rows={rows} rowKey={({ handle }) => handle} />
      ) : (
        <div className="border-line border-t px-4 py-4 text-muted text-sm sm:px-5">
          {pinned.isError ? (
            <Callout tone="danger" title="This browser can't read what it remembers.">
              It may block the data of this site. Allow it, and reload the page.
            </Callout>
          ) : pinned.data ? (
            "None yet. The first payment to a handle from this browser puts it here."
          ) : (
            <Skeleton className="h-5 w-64" />
          )}
        </div>
      )}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`Forget ${asked?.handle ?? "handle"}?`}
        keep="Keep handle"
        confirm="Forget handle"
        onConfirm={forget}
      >
        <p>
          Do this only if its owner has confirmed, outside this service, that the handle has moved to another wallet. If
          you don't know why its address changed, keep it: it prevents a payment to someone else.
        </p>
        <p>The next payment from this browser remembers the address the service names then.</p>
      </ConfirmDialog>
    </Card>
  );
}
