"use client";

import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { calledFailed } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { Badge } from "@/components/ui/badge";
import { buttonClass, Spinner } from "@/components/ui/button";
import { NOT_KNOWN_YET } from "@/components/ui/error-title";
import { Link } from "@/components/ui/link";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import { useMoneyMoved } from "./use-money-mutation";
import { isFinal, type PaymentState, type Status, usePaymentState } from "./use-payment-state";

interface Outcome {
  /** The transfer's id; null if only the chain has shown that the payment was made. */
  id: string | null;
  /** The payment's record; undefined if the chain has shown that the payment was made. */
  pending: PendingPayment | undefined;
  children: ReactNode;
}

/** Follows an accepted payment until it is final on chain. That it failed is believed only of the chain. */
export function TransferOutcome({ id, pending, children }: Outcome) {
  if (id !== null) {
    return (
      <Followed id={id} pending={pending}>
        {children}
      </Followed>
    );
  }
  return (
    <div className="flex flex-col items-center gap-4 py-4 text-center" role="status">
      <Mark standing="confirmed" />
      <div className="grid gap-1 text-balance text-lg">{children}</div>
      <InWords standing="confirmed" />
    </div>
  );
}

function Followed({ id, pending, children }: Outcome & { id: string }) {
  const network = useNetwork();
  const moved = useMoneyMoved();
  const [final, setFinal] = useState(false);
  const { data } = useResource<{ status: Status }>(`/v1/transfers/${id}`, {
    refetchInterval: final ? false : 1_000,
  });
  const says = data?.status;
  const standing = usePaymentState(says === "failed" && !pending ? "confirmed" : says, pending);
  useEffect(() => {
    if (!isFinal(standing)) return;
    setFinal(true);
    moved();
  }, [standing, moved]);
  return (
    <div className="flex flex-col items-center gap-4 py-4 text-center" role="status">
      <Mark standing={standing} />
      <div className="grid gap-1 text-balance text-lg">{children}</div>
      <InWords standing={standing} />
      <Link href={`/${network}/transfers/${id}`} className={buttonClass("secondary", "small")}>
        View transfer
      </Link>
    </div>
  );
}

function Mark({ standing }: { standing: PaymentState }) {
  if (standing === "failed") return <CircleX size={32} aria-hidden="true" className="text-danger" />;
  if (standing === "unknown") return <CircleAlert size={32} aria-hidden="true" className="text-warning" />;
  if (standing === "confirmed") return <CircleCheck size={32} aria-hidden="true" className="text-success" />;
  return (
    <span className="grid size-8 place-items-center text-accent">
      <Spinner />
    </span>
  );
}

function InWords({ standing }: { standing: PaymentState }) {
  switch (standing) {
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
          <Badge tone="danger">Failed</Badge> The chain shows that it did not settle: no money moved. You can send it
          again.
        </p>
      );
    case "unknown":
      return (
        <p className="text-muted text-sm">
          <Badge tone="warning">{NOT_KNOWN_YET}</Badge> {calledFailed({ warning: "Do not send it again." })} You can
          close this: every page shows what happened as soon as it is known.
        </p>
      );
  }
}
