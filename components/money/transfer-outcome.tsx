"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Badge } from "@/components/ui/badge";
import { buttonClass, Spinner } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { useMoneyMoved } from "./use-money-mutation";

interface Shown {
  status: "pending" | "confirmed" | "failed";
}

/**
 * Follows an accepted payment until it is final on chain.
 *
 * @param id the transfer's id; null if only the chain has shown that the payment was made
 */
export function TransferOutcome({ id, children }: { id: string | null; children: ReactNode }) {
  if (id !== null) return <Followed id={id}>{children}</Followed>;
  return (
    <div className="flex flex-col items-center gap-4 py-4 text-center" role="status">
      <Mark status="confirmed" />
      <div className="grid gap-1 text-balance text-lg">{children}</div>
      <Standing status="confirmed" />
    </div>
  );
}

function Followed({ id, children }: { id: string; children: ReactNode }) {
  const network = useNetwork();
  const moved = useMoneyMoved();
  const [final, setFinal] = useState(false);
  const { data } = useResource<Shown>(`/api/transfers/${id}`, { refetchInterval: final ? false : 1_000 });
  const status = data?.status ?? "pending";
  useEffect(() => {
    if (status === "pending") return;
    setFinal(true);
    moved();
  }, [status, moved]);
  return (
    <div className="flex flex-col items-center gap-4 py-4 text-center" role="status">
      <Mark status={status} />
      <div className="grid gap-1 text-balance text-lg">{children}</div>
      <Standing status={status} />
      <Link href={`/${network}/transfers/${id}`} className={buttonClass("secondary", "small")}>
        View transfer
      </Link>
    </div>
  );
}

function Mark({ status }: Shown) {
  if (status === "failed") return <CircleX size={32} aria-hidden="true" className="text-danger" />;
  if (status === "confirmed") return <CircleCheck size={32} aria-hidden="true" className="text-success" />;
  return (
    <span className="grid size-8 place-items-center text-accent">
      <Spinner />
    </span>
  );
}

function Standing({ status }: Shown) {
  switch (status) {
    case "pending":
      return (
        <p className="text-muted text-sm">
          <Badge tone="warning">Pending</Badge> Accepted; the chain settles it in a moment. You may close this.
        </p>
      );
    case "confirmed":
      return (
        <p className="text-muted text-sm">
          <Badge tone="success">Confirmed</Badge> Final on chain.
        </p>
      );
    case "failed":
      return (
        <p className="text-muted text-sm">
          <Badge tone="danger">Failed</Badge> It did not settle and no money moved. Send it again.
        </p>
      );
  }
}
