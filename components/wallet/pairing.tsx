"use client";

import { useEffect, useState } from "react";
import type { Connector } from "wagmi";
import { CopyButton } from "@/components/ui/copy-button";
import { onDemand } from "@/components/ui/on-demand";

const QrCode = onDemand(() => import("@/components/ui/qr-code").then((module) => module.default));

/** Shows how to pair a WalletConnect session while it waits for the wallet: a code to scan, a link to open or paste. */
export function WalletPairing({ connector }: { connector: Connector }) {
  const [uri, setUri] = useState<string>();
  useEffect(() => {
    const heard = ({ type, data }: { type: string; data?: unknown }) => {
      if (type === "display_uri" && typeof data === "string") setUri(data);
    };
    connector.emitter.on("message", heard);
    return () => connector.emitter.off("message", heard);
  }, [connector]);
  if (!uri) return null;
  return (
    <section
      aria-label="Pair your wallet"
      className="grid justify-items-center gap-3 rounded-lg border border-line p-4"
    >
      <p className="text-center text-pretty text-sm">Scan this code with your wallet app.</p>
      <div className="grid aspect-square w-full max-w-64">
        <QrCode value={uri} label="Pairing link as a QR code" />
      </div>
      <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 text-sm">
        <a href={uri} className="underline">
          Open a wallet on this device
        </a>
        <CopyButton value={uri} label="pairing link" text="Copy link" />
      </div>
    </section>
  );
}
