"use client";

import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import type { AssetFacts } from "./asset-facts";
import type { DialogProps } from "./dialog-props";
import type { Act } from "./do-link";

// Loaded when they are first opened.
const SendDialog = dynamic(() => import("./send-dialog").then((module) => module.SendDialog), { ssr: false });
const AllocateDialog = dynamic(() => import("./allocate-dialog").then((module) => module.AllocateDialog), {
  ssr: false,
});
const WithdrawDialog = dynamic(() => import("./withdraw-dialog").then((module) => module.WithdrawDialog), {
  ssr: false,
});
const AbandonDialog = dynamic(() => import("./abandon-dialog").then((module) => module.AbandonDialog), { ssr: false });
const DepositDialog = dynamic(() => import("./deposit-dialog").then((module) => module.DepositDialog), { ssr: false });

const FundsDialog = dynamic(() => import("@/components/proof-of-funds/funds-dialog").then((m) => m.FundsDialog), {
  ssr: false,
});

/** The dialog that the page's address names (`?do=send`); closed, the address is the page's again. */
export function Dialogs({ assets, address, local }: { assets: AssetFacts[]; address: string; local: boolean }) {
  const search = useSearchParams();
  const pathname = usePathname();
  const router = useRouter();
  const act = search.get("do") as Act | null;
  const asset = assets.find(({ symbol }) => symbol === search.get("asset")) ?? assets[0];
  if (!act || !asset) return null;
  const props: DialogProps = {
    assets,
    address,
    local,
    asset: asset.symbol,
    agent: search.get("agent") ?? undefined,
    to: search.get("to") ?? undefined,
    onClose: () => router.replace(pathname, { scroll: false }),
  };
  // A dialog opened from another starts afresh.
  const key = search.toString();
  switch (act) {
    case "send":
      return <SendDialog key={key} {...props} />;
    case "allocate":
      return <AllocateDialog key={key} {...props} />;
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
