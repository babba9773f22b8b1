"use client";

import { X } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Hex } from "viem";
import { useNetwork } from "@/components/api/network-context";
import { notifyLow } from "@/components/api/notifications/desktop";
import { DoLink } from "@/components/money/do-link";
import { Amount } from "@/components/ui/amount";
import { buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useDecrypted } from "@/components/vault/vault-provider";
import { lowBalances } from "./low-balances";

/** Compares the available balances with this browser's rules whenever money has moved, and reports which are low. */
export function LowBalanceWatch({ encrypted }: { encrypted: Hex }) {
  const network = useNetwork();
  const router = useRouter();
  const { data: rules } = useDecrypted("decryptLowBalance", { encrypted });
  const { data: funds } = useDecrypted("funds", {});
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const warned = useRef<readonly string[]>([]);
  const low = rules && funds ? lowBalances(rules, funds) : [];
  const names = low.map(({ asset }) => asset).join(" ");
  const known = rules !== undefined && funds !== undefined;
  const warn = useEffectEvent(() => {
    for (const { asset } of low) if (!warned.current.includes(asset)) notifyLow(network, asset, router.push);
    // A balance that recovered will be reported again when it falls.
    warned.current = low.map(({ asset }) => asset);
    setDismissed((before) => before.filter((asset) => warned.current.includes(asset)));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another one is low, or one no longer
  useEffect(() => {
    if (known) warn();
  }, [known, names]);
  const shown = low.filter(({ asset }) => !dismissed.includes(asset));
  if (shown.length === 0) return null;
  return (
    <section aria-label="Low balances" className="mb-6 grid gap-2">
      {shown.map(({ asset, available, below }) => (
        <div key={asset} role="status">
          <Callout
            tone="warning"
            title={`Your available ${asset} is low.`}
            action={
              <DoLink act="make-available" parameters={{ asset }} className={buttonClass("secondary", "small")}>
                Make {asset} available
              </DoLink>
            }
            corner={
              <button
                type="button"
                aria-label={`Dismiss: your available ${asset} is low`}
                onClick={() => setDismissed((before) => [...before, asset])}
                className="-my-1 -mr-1.5 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-ink pointer-coarse:-my-3 pointer-coarse:-mr-3 pointer-coarse:size-11"
              >
                <X size={14} aria-hidden="true" />
              </button>
            }
          >
            <Amount value={available} asset={asset} /> left. You asked for a warning below{" "}
            <Amount value={below} asset={asset} />.
          </Callout>
        </div>
      ))}
    </section>
  );
}
