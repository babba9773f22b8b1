"use client";

import { useState } from "react";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { burnerKey } from "./burner";
import { addressOfKey } from "./burner-account";

/** Shows the key of this browser's test wallet, for use in another wallet or on the command line. */
export function TestWalletKey() {
  const [shown, setShown] = useState(false);
  const key = burnerKey();
  if (!key) return null;
  const address = addressOfKey(key);
  return (
    <details className="rounded-lg border border-line px-3.5 py-2.5 text-sm">
      <summary className="font-medium pointer-coarse:py-2">Take the test wallet elsewhere</summary>
      <div className="mt-2 grid gap-2.5">
        <p className="text-pretty text-muted text-xs">
          Clearing this site's data deletes the wallet. Its key works with the command line (HALCYON_WALLET_KEY) and in
          any wallet; anyone who has it controls the account. Never send real money to it.
        </p>
        <p className="flex items-center justify-between gap-2 text-muted text-xs">
          <Address value={address} />
          {shown ? (
            <CopyButton value={key} label="private key" text="Copy key" />
          ) : (
            <Button size="small" onClick={() => setShown(true)}>
              Show key
            </Button>
          )}
        </p>
        {shown && <code className="wrap-anywhere rounded-md bg-sunken p-2.5 text-xs">{key}</code>}
      </div>
    </details>
  );
}
