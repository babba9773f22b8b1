"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useTransition } from "react";
import { onDemand } from "@/components/ui/on-demand";
import type { AssetFacts } from "./asset-facts";
import type { MoneyDialogProps } from "./dialog-props";
import type { Act } from "./do-link";

// Each is loaded when it first opens.
const SendDialog = onDemand(() => import("./send-dialog").then((module) => module.SendDialog));
const MakeAvailableDialog = onDemand(() =>
  import("./make-available-dialog").then((module) => module.MakeAvailableDialog),
);
const WithdrawDialog = onDemand(() => import("./withdraw-dialog").then((module) => module.WithdrawDialog));
const AbandonDialog = onDemand(() => import("./abandon-dialog").then((module) => module.AbandonDialog));
const DepositDialog = onDemand(() => import("./deposit-dialog").then((module) => module.DepositDialog));

const FundsDialog = onDemand(() =>
  import("@/components/documents/proof-of-funds/funds-dialog").then((m) => m.FundsDialog),
);

/**
 * Renders the dialog named in the page's address (`?do=send`). Closing it restores the address; the dialog is gone at
 * once, because the server may take until the browser is online again.
 */
export function Dialogs({ assets, address, local }: { assets: AssetFacts[]; address: string; local: boolean }) {
  const search = useSearchParams();
  const pathname = usePathname();
  const router = useRouter();
  const [closing, close] = useTransition();
  const act = closing ? null : (search.get("do") as Act | null);
  const asset = assets.find(({ symbol }) => symbol === search.get("asset")) ?? assets[0];
  if (!act || !asset) return null;
  const props: MoneyDialogProps = {
    assets,
    address,
    local,
    asset: asset.symbol,
    agent: search.get("agent") ?? undefined,
    to: search.get("to") ?? undefined,
    onClose: () => close(() => router.replace(pathname, { scroll: false })),
  };
  // A dialog opened from another one starts with fresh state.
  const key = search.toString();
  switch (act) {
    case "send":
      return <SendDialog key={key} {...props} />;
    case "make-available":
      return <MakeAvailableDialog key={key} {...props} />;
    case "withdraw":
      return <WithdrawDialog key={key} {...props} />;
    case "deposit":
    case "add-funds":
      return <DepositDialog key={key} {...props} fromWallet={act === "deposit"} />;
    case "abandon":
      return <AbandonDialog key={key} {...props} />;
    case "prove-funds":
      return <FundsDialog key={key} {...props} />;
    default:
      return null;
  }
}
